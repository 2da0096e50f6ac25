// Embind registers strings of wide characters whether they are used or not; the code for them would be a tenth of the
// loader that every visitor waits for. No call of ours takes or gives one.
mergeInto(LibraryManager.library, {
  _embind_register_std_wstring: function () {},
});
