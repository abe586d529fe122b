/**
 * Embeds a lesson at the place of the script, in a frame as high as the lesson:
 *
 *     <script src="https://…/lessons/embed.js" data-lesson="01-soft-lookup"></script>
 *
 * This is a classic script, because document.currentScript tells its place in the page. If the script is in the head,
 * the lesson becomes the last element of the body.
 */
(() => {
  const script = /** @type {HTMLScriptElement | null} */ (document.currentScript);
  if (!script?.dataset.lesson) {
    throw new Error('embed.js: data-lesson must name a lesson, for example 01-soft-lookup, and the script must be ' +
      'a classic script');
  }
  const frame = document.createElement('iframe');
  frame.src = new URL(`./${script.dataset.lesson}.html?embed`, script.src).href;
  frame.title = script.dataset.title ?? `Lesson ${script.dataset.lesson}`;
  frame.style.cssText = 'width: 100%; height: 40rem; border: 0; display: block';
  frame.scrolling = 'no'; // a scroll bar would make the lesson narrower before its height is known
  addEventListener('message', ({ source, data }) => {
    // ignore messages once the iframe has been removed
    if (!source || source !== frame.contentWindow || data?.heed !== 'lesson') return;
    frame.style.height = `${Number(data.height)}px`;
  });
  if (!document.head.contains(script)) script.after(frame);
  else if (document.body) document.body.append(frame);
  else addEventListener('DOMContentLoaded', () => document.body.append(frame)); // frames in a head are not shown
})();
