// The Share dialog: the exact view as a link, as Markdown, as a frame for another page.
import { html, nothing } from 'lit-html';

/** In characters: chat programs start to cut links beyond the first; the second is where a link stops being sensible. */
const LONG_LINK = 2000;
const TOO_LONG_LINK = 4000;

/**
 * @typedef {{ question: string, note: string, predict: number, hide: string[], lock: number }} Options   what a teacher adds
 *
 * Opens the dialog: from then on `ui.share` draws it.
 * @param {{ state: any, getUi: () => any, setUi: (patch: any) => void, linkOf: (extra?: any) => Promise<string> }} parts
 */
export async function openSharing({ state: { question, note, predict, hide, lock }, getUi, setUi, linkOf }) {
  /** @param {Partial<Options>} options */
  async function linksWith(options) {
    const page = location.origin + location.pathname;
    const [link, embedLink] = await Promise.all([linkOf(options), linkOf({ ...options, embed: 1 })]);
    return { link: page + link, embedLink: page + embedLink };
  }
  const setShare = (/** @type {any} */ patch) => setUi({ share: { ...getUi().share, ...patch } });

  /** What a teacher adds to the links; the page itself stays as it is. @param {Partial<Options>} patch */
  async function teach(patch) {
    const options = { ...getUi().share.options, ...patch };
    setShare({ options, copied: '' });
    const links = await linksWith(options);
    if (getUi().share?.options === options) setShare(links);
  }

  /** @param {string} what @param {string} text */
  async function copy(what, text) {
    const copied = await navigator.clipboard.writeText(text).then(() => true, () => {
      // Without permission the text is selected, so that the visitor's own copy works.
      /** @type {HTMLTextAreaElement | null} */ (document.getElementById(`share-${what}`))?.select();
      return document.execCommand('copy');
    });
    setShare({ copied: copied ? what : '' });
  }

  const options = { question: question ?? '', note: note ?? '', predict, hide: hide ?? [], lock };
  const links = await linksWith({});
  const view = (/** @type {Shown} */ shown) => shareDialog({ ...getUi().share, ...shown, teach, copy, close: () => setUi({ share: null }) });
  setUi({ share: { view, ...links, options, copied: '' } });
  queueMicrotask(() => /** @type {HTMLDialogElement | null} */ (document.querySelector('dialog.share'))?.showModal());
}

/**
 * @typedef {{ title: string, predicts: boolean, parts: readonly string[], t: import('../i18n/index.js').Translate }} Shown   what the page tells the dialog
 * @param {Shown & { link: string, embedLink: string, options: Options, copied: string,
 *   copy: (what: string, text: string) => void, teach: (patch: Partial<Options>) => void, close: () => void }} props
 */
function shareDialog({ link, embedLink, options, title, copied, predicts, parts, t, copy, teach, close }) {
  const plainTitle = title.replace(/[[\]\\]/g, '\\$&');
  const forms = {
    link,
    markdown: `[${plainTitle}](${link})`,
    iframe: `<iframe src="${embedLink.replace(/&/g, '&amp;').replace(/"/g, '&quot;')}" title="${title.replace(/&/g, '&amp;').replace(/"/g, '&quot;')}" width="100%" height="720" style="border:0"></iframe>`,
  };
  return html`<dialog class="share" aria-labelledby="share-title" @close=${close} @click=${(/** @type {MouseEvent} */ event) => {
    if (event.target === event.currentTarget) /** @type {HTMLDialogElement} */ (event.currentTarget).close();
  }}>
    <form method="dialog" class="share-body">
      <header><h2 id="share-title">${t('share.title')}</h2><button class="icon" aria-label=${t('action.close')}><span aria-hidden="true">✕</span></button></header>
      <p>${t('share.private')}</p>
      ${Object.entries(forms).map(([what, text]) => html`<div class="share-form">
        <label for="share-${what}">${t(`share.${what}`)}</label>
        <textarea id="share-${what}" readonly rows=${what === 'link' ? 3 : 2} .value=${text} @focus=${(/** @type {any} */ event) => event.target.select()}></textarea>
        <button type="button" class=${what === 'link' ? 'primary' : 'quiet'} @click=${() => copy(what, text)}>${t(copied === what ? 'share.copied' : 'share.copy')}</button>
      </div>`)}
      ${teacherView(options, predicts, parts, t, teach)}
      <p class="length">${t('share.length', { count: link.length })}
        ${link.length > TOO_LONG_LINK ? html`<strong>${t('share.too-long')}</strong>` : link.length > LONG_LINK ? html`<strong>${t('share.long')}</strong>` : nothing}</p>
      ${link.length > TOO_LONG_LINK ? html`<a class="quiet" download="attention-link.txt" href=${`data:text/plain;charset=utf-8,${encodeURIComponent(link)}`}>${t('share.file')}</a>` : nothing}
      <p class="visually-hidden" role="status">${copied ? t('share.copied') : ''}</p>
    </form>
  </dialog>`;
}

/** @param {Options} options @param {boolean} predicts @param {readonly string[]} parts that can be left out @param {import('../i18n/index.js').Translate} t @param {(patch: Partial<Options>) => void} teach */
function teacherView({ question, note, predict, hide, lock }, predicts, parts, t, teach) {
  /** @param {string} label @param {boolean} checked @param {(checked: boolean) => void} change */
  const box = (label, checked, change) => html`<label class="check"><input type="checkbox" .checked=${checked}
    @change=${(/** @type {any} */ event) => change(event.target.checked)}> ${label}</label>`;
  /** @param {'question' | 'note'} name @param {string} value */
  const field = (name, value) => html`<div class="share-form"><label for="teach-${name}">${t(`teach.${name}`)}</label>
    <textarea id="teach-${name}" rows="2" maxlength="300" .value=${value} @input=${(/** @type {any} */ event) => teach({ [name]: event.target.value })}></textarea></div>`;
  return html`<details class="teach"><summary>${t('teach.title')}</summary>
    ${field('question', question)}
    ${field('note', note)}
    ${predicts ? box(t('teach.predict'), predict === 1, (on) => teach({ predict: on ? 1 : 0 })) : nothing}
    ${box(t('teach.lock'), lock === 1, (on) => teach({ lock: on ? 1 : 0 }))}
    <fieldset><legend>${t('teach.hide')}</legend>${parts.map((part) =>
      box(t(`teach.hide.${part}`), hide.includes(part), (on) => teach({ hide: parts.filter((each) => (each === part ? on : hide.includes(each))) })))}</fieldset>
  </details>`;
}
