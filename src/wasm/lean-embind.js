// Parts of Embind's loader that no call of ours needs, put smaller: every visitor waits for it. Strings of wide characters
// are registered whether they are used or not, and functions could have several forms by their number of arguments.
mergeInto(LibraryManager.library, {
  _embind_register_std_wstring: function () {},

  $exposePublicSymbol__deps: [],
  $exposePublicSymbol: function (name, value) {
    Module[name] = value;
  },
  $replacePublicSymbol__deps: [],
  $replacePublicSymbol: function (name, value) {
    Module[name] = value;
  },
});
