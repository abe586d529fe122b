/** The part of the menu about kept models: their list with sizes, the free space, and the page without network. */
import { kept } from '../../js/index.js';
import { messageOf } from '../elements/dom.js';
import { formatBytes } from './format.js';

/** @typedef {import('../../js/index.js').KeptModel} KeptModel */
/** The elements of the menu.
 *  @typedef {{ kept: HTMLElement, keptList: HTMLElement, room: HTMLElement, offline: HTMLButtonElement,
 *    offlineStatus: HTMLElement }} KeptViews */

const WORKER = './offline-worker.js';
const CACHE = 'heed page';
const LOST = 'One of its files could not be fetched, or the space of this page in this browser is used up. Check the '
  + 'network, or delete kept models.';

export class KeptModels {
  #views;
  #open;

  /** @param {KeptViews} views @param {(name: string) => void} open loads a kept model */
  constructor(views, open) {
    this.#views = views;
    this.#open = open;
    views.offline.addEventListener('click', () => void this.#toggleOffline());
  }

  /** Shows the present state. */
  async refresh() {
    const models = await kept().catch(() => []);
    this.#views.kept.hidden = models.length === 0;
    this.#views.keptList.replaceChildren(...models.map((model) => this.#item(model)));
    this.#views.room.textContent = await roomText();
    await this.#showOffline();
  }

  /** @param {KeptModel} model */
  #item({ name, bytes, totalBytes, complete }) {
    const item = document.createElement('li');
    const label = name.replace(/^.*\/(?=[^/]+$)/, '');
    const open = button(label, () => this.#open(name));
    open.title = name;
    const remove = button('Delete', async () => {
      remove.disabled = true;
      await kept.delete(name).catch((error) => (this.#views.room.textContent = messageOf(error)));
      await this.refresh();
      this.#views.room.focus();
    });
    remove.ariaLabel = `Delete ${label}`;
    const of = totalBytes === null ? '' : ` of ${formatBytes(totalBytes)}`;
    item.append(open, complete ? ` ${formatBytes(bytes)} ` : ` ${formatBytes(bytes)}${of}, not complete `, remove);
    return item;
  }

  /** The registration of the service worker, or undefined. */
  #registration() {
    return navigator.serviceWorker?.getRegistration(WORKER);
  }

  async #showOffline() {
    const { offline, offlineStatus } = this.#views;
    offline.hidden = !navigator.serviceWorker;
    const isOn = Boolean((await this.#registration())?.active);
    offline.textContent = isOn ? 'Remove the stored page' : 'Store this page for use offline';
    offlineStatus.textContent = !navigator.serviceWorker ? 'This browser cannot store the page here.'
      : !isOn ? 'A service worker stores the page, and lets the model use more threads.'
        : `The page opens without network.${crossOriginIsolated ? '' : ' Reload it to use more threads.'}`;
  }

  /** Turns the service worker on or off. */
  async #toggleOffline() {
    const { offline, offlineStatus } = this.#views;
    offline.disabled = true;
    try {
      const registration = await this.#registration();
      if (registration) {
        await registration.unregister();
        await caches.delete(CACHE);
      } else {
        offlineStatus.textContent = 'Storing the page…';
        await active(await navigator.serviceWorker.register(WORKER));
      }
      await this.#showOffline();
    } catch (error) {
      offlineStatus.textContent = `The page was not stored. ${messageOf(error)}`;
    } finally {
      offline.disabled = false;
    }
  }
}

/** Waits until a service worker has stored the page. @param {ServiceWorkerRegistration} registration */
async function active({ installing, waiting, active: now }) {
  const worker = installing ?? waiting ?? now;
  await new Promise((resolve, reject) => {
    const look = () => {
      if (worker?.state === 'activated') resolve(undefined);
      if (worker?.state === 'redundant') reject(new Error(LOST));
    };
    worker?.addEventListener('statechange', look);
    look();
  });
}

/** A sentence about the space of this page, or nothing where the browser does not say it. */
async function roomText() {
  /** @type {StorageEstimate} */
  const { quota, usage } = await navigator.storage?.estimate?.().catch(() => ({})) ?? {};
  if (quota === undefined || usage === undefined) return '';
  return `This browser gives the page ${formatBytes(quota)}; ${formatBytes(usage)} are used.`;
}

/** @param {string} text @param {() => void} onClick */
function button(text, onClick) {
  const element = document.createElement('button');
  element.type = 'button';
  element.textContent = text;
  element.addEventListener('click', onClick);
  return element;
}
