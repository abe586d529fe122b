/** The slides of the lesson, and the button that copies its address with the state of its controls. */
import { h } from '../../elements/dom.js';
import { addressOfState } from './state.js';

/** @returns {HTMLElement} the link, the button, and the message after a press */
export function shareButton() {
  const button = h('button', { type: 'button' }, 'Link to this state');
  const status = h('span', { role: 'status' });
  const address = h('input', { type: 'text', readonly: true, 'aria-label': 'Address of this state', hidden: true });
  button.addEventListener('click', async () => {
    address.value = addressOfState();
    try {
      await navigator.clipboard.writeText(address.value);
      address.hidden = true;
      status.textContent = 'Copied';
    } catch { // the browser has no clipboard, or refuses it
      status.textContent = 'Copy this address:';
      address.hidden = false;
      address.select();
    }
  });
  button.addEventListener('blur', () => { if (address.hidden) status.textContent = ''; });
  return h('div', { class: 'share' }, status, address, button, h('a', { href: '?slides' }, 'Slides'));
}
