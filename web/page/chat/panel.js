/** A conversation with the model. Its ids are the text of the page, so that strip, candidates and maps follow. */
import { h } from '../../elements/dom.js';
import { view } from '../view.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../../../js/index.js').Message} Message */

export class ChatPanel {
  #app;
  /** @type {Message[]} */
  #messages = [];
  /** The reply that is growing. @type {HTMLElement | null} */
  #reply = null;
  #log = h('div', { class: 'log', role: 'log', 'aria-label': 'Conversation', tabindex: '0', id: 'chat-log' });
  #message = /** @type {HTMLTextAreaElement} */ (h('textarea', { id: 'chat-message', rows: '2' }));
  #form = h('form', {},
    h('label', { for: 'chat-message' }, 'Message'), this.#message,
    h('div', { class: 'buttons' },
      h('button', { class: 'primary', id: 'chat-send' }, 'Send'),
      this.#button('chat-stop', 'Stop', () => this.#app.stop()),
      this.#button('chat-new', 'New conversation', () => this.#restart())));
  #missing = h('div', { id: 'chat-missing' },
    h('p', {}, 'This model was not trained for conversations: its file has no chat template. It continues stories.'),
    this.#button('chat-story', 'Write a story', () => {
      view.prompt.focus();
      view.prompt.select();
    }));
  element = h('div', { class: 'talk' }, this.#missing, this.#log, this.#form);

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#send();
    });
    this.#message.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      void this.#send();
    });
    this.modelChanged();
  }

  /** The page has another model: the conversation begins again. */
  modelChanged() {
    const canChat = Object.keys(this.#app.session?.model.chatFormat?.templates ?? {}).length > 0;
    this.#missing.hidden = canChat;
    this.#form.hidden = this.#log.hidden = !canChat;
    this.#restart();
  }

  /** Shows the beginning of the reply. @param {string} text */
  follow(text) {
    if (this.#reply) this.#reply.textContent = text;
  }

  #restart() {
    this.#messages = [];
    this.#reply = null;
    this.#log.replaceChildren();
  }

  async #send() {
    const content = this.#message.value;
    if (content.trim() === '' || this.#reply) return;
    this.#message.value = '';
    this.#messages.push({ role: 'user', content });
    this.#add('You', content);
    const reply = this.#reply = this.#add('Model', '');
    this.#log.setAttribute('aria-busy', 'true'); // a screen reader speaks the whole reply
    const summary = await this.#app.chat(this.#messages);
    this.#log.removeAttribute('aria-busy');
    if (this.#reply !== reply) return; // a new conversation
    this.#reply = null;
    if (summary) {
      reply.textContent = summary.text;
      this.#messages.push({ role: 'assistant', content: summary.text });
    } else { // the error is above; the message can be sent again
      this.#messages.pop();
      reply.parentElement?.previousElementSibling?.remove();
      reply.parentElement?.remove();
      this.#message.value ||= content;
    }
    this.#log.scrollTop = this.#log.scrollHeight;
  }

  /** Adds a message to the log. @param {string} name @param {string} text @returns {HTMLElement} its text */
  #add(name, text) {
    const body = h('span', {}, text);
    this.#log.append(h('p', {}, h('b', {}, name), ' ', body));
    this.#log.scrollTop = this.#log.scrollHeight;
    return body;
  }

  /** @param {string} id @param {string} text @param {() => void} onClick */
  #button(id, text, onClick) {
    const button = h('button', { type: 'button', id }, text);
    button.addEventListener('click', onClick);
    return button;
  }
}
