/* The worker of the search, as the theme asks for it, with two things added (the theme brings its own unless the name says iframe-worker).
   It gets the pages of the reader's language alone, and words of Japanese queries parted where the index parts them.
   Where pages are opened from a disk, browsers refuse workers: the script runs in a hidden frame that answers likewise. */
(() => {
  const SETUP = 0, QUERY = 2;
  const KINDS = [/[\p{sc=Han}々〆]/u, /\p{sc=Hiragana}/u, /[\p{sc=Katakana}ー]/u];
  const kindOf = (letter) => KINDS.findIndex((kind) => kind.test(letter));

  const parted = (query) => [...query].reduce((before, letter) => {
    const last = before.at(-1);
    const changes = last && /[^\s"*+:^~-]/.test(last + letter) && kindOf(last) !== kindOf(letter);
    return before + (changes && !/\s/.test(last + letter) ? " " : "") + letter;
  }, "");

  const prepared = (message) => {
    if (message.type === QUERY && typeof message.data === "string") return { ...message, data: parted(message.data) };
    if (message.type !== SETUP) return message;
    const isJapanese = document.documentElement.lang === "ja";
    const docs = message.data.docs.filter((one) => one.location.startsWith("ja/") === isJapanese);
    return { ...message, data: { ...message.data, docs } };
  };

  class FrameWorker extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.appendChild(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => {
        const message = new MessageEvent("message", { data });
        this.dispatchEvent(message);
        if (this.onmessage) this.onmessage(message);
      };
      this.ready = new Promise((loaded, failed) => {
        const script = inside.document.createElement("script");
        script.src = new URL(url, location.href).href;
        script.onload = loaded;
        script.onerror = failed;
        inside.document.body.appendChild(script);
      });
    }
    postMessage(data) {
      this.ready.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })));
    }
    terminate() {
      this.frame.remove();
    }
  }

  const Base = location.protocol === "file:" ? FrameWorker : window.Worker;
  window.Worker = class extends Base {
    postMessage(message) {
      super.postMessage(prepared(message));
    }
  };
})();
