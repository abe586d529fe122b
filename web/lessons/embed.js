/**
 * Puts a lesson where the script stands, as high as the lesson is:
 *
 *     <script src="https://…/lessons/embed.js" data-lesson="01-soft-lookup"></script>
 *
 * A classic script on purpose: it knows its own place in the page.  A head has none to show it: the lesson comes last.
 */
(() => {
  const script = /** @type {HTMLScriptElement | null} */ (document.currentScript);
  if (!script?.dataset.lesson) {
    throw new Error('embed.js: data-lesson says which lesson, for example 01-soft-lookup; the script is no module');
  }
  const frame = document.createElement('iframe');
  frame.src = new URL(`./${script.dataset.lesson}.html?embed`, script.src).href;
  frame.title = script.dataset.title ?? `Lesson ${script.dataset.lesson}`;
  frame.style.cssText = 'width: 100%; height: 40rem; border: 0; display: block';
  frame.scrolling = 'no'; // it is as high as the lesson, which a bar beside it would make narrower before it says so
  addEventListener('message', ({ source, data }) => {
    // a frame that was taken away has no window, and what comes from none is not from it
    if (!source || source !== frame.contentWindow || data?.heed !== 'lesson') return;
    frame.style.height = `${Number(data.height)}px`;
  });
  if (!document.head.contains(script)) script.after(frame);
  else if (document.body) document.body.append(frame);
  else addEventListener('DOMContentLoaded', () => document.body.append(frame)); // nothing in a head is shown
})();
