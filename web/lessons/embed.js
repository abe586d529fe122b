/**
 * Puts a lesson where the script stands, as high as the lesson is:
 *
 *     <script src="https://…/lessons/embed.js" data-lesson="01-soft-lookup"></script>
 *
 * A classic script on purpose: it knows its own place in the page.
 */
(() => {
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  if (!script.dataset.lesson) throw new Error('embed.js: data-lesson says which lesson, for example 01-soft-lookup');
  const frame = document.createElement('iframe');
  frame.src = new URL(`./${script.dataset.lesson}.html?embed`, script.src).href;
  frame.title = script.dataset.title ?? `Lesson ${script.dataset.lesson}`;
  frame.style.cssText = 'width: 100%; height: 40rem; border: 0; display: block';
  addEventListener('message', ({ source, data }) => {
    if (source === frame.contentWindow && data?.heed === 'lesson') frame.style.height = `${data.height}px`;
  });
  script.after(frame);
})();
