/**
 * WebKitGTK behind the interface of browsers.js, by W3C WebDriver (https://www.w3.org/TR/webdriver2/): its
 * MiniBrowser on a virtual screen. Complaints come from its console. The driver cannot report errors of scripts from
 * other origins, requests of Workers or the accessibility tree. It cannot set a color scheme or reduced motion at run
 * time.
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';

/** @typedef {import('./browsers.js').Page} Page */
/** @typedef {import('./browsers.js').Opened} Opened */
/** The reply of a script.
 *  @typedef {{ value: any, error?: { message: string, stack: string }, born: number, resources: string[] }} Reply */

const DRIVER = process.env.WEBKIT_DRIVER ?? '/usr/bin/WebKitWebDriver';
/** Debian's folder depends on the architecture; the shell expands the path. */
const BROWSER = process.env.MINIBROWSER ?? '/usr/lib/*/webkit2gtk-4.1/MiniBrowser';
/** Larger than any window of the tests. */
const SCREEN = '1600x1400x24';
/** Key of an element in WebDriver's JSON. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** WebDriver's codes of keys; other keys are their characters. @type {Record<string, string>} */
const KEYS = { Tab: '\uE004', Enter: '\uE007', Shift: '\uE008', Control: '\uE009', Escape: '\uE00C', PageUp: '\uE00E',
  PageDown: '\uE00F', End: '\uE010', Home: '\uE011', ArrowLeft: '\uE012', ArrowUp: '\uE013', ArrowRight: '\uE014',
  ArrowDown: '\uE015' };

/** A line of the browser's console. */
const CONSOLE = /^(?:(\S+?):\d+:\d+: )?CONSOLE (?:[A-Z]+ )?(ERROR|WARN|LOG|INFO|DEBUG) ?([^]*)$/;

/** A free port of this machine. @returns {Promise<number>} */
const freePort = () => new Promise((resolve, reject) => {
  const server = createServer().once('error', reject).listen(0, '127.0.0.1', () => {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    server.close(() => resolve(port));
  });
});

/** Starts a program that runs until it is killed. A program that is not installed ends at once. @param {string} command
 *  @param {string[]} args @param {import('node:child_process').SpawnOptions} options */
function start(command, args, options) {
  const child = spawn(command, args, options);
  child.on('error', ({ message }) => process.emitWarning(`${message}: tools/setup.sh test installs it`));
  return child;
}

/** A virtual screen. @returns {Promise<{ display: string, end: () => void }>} */
async function openScreen() {
  const xvfb = start('Xvfb', ['-displayfd', '3', '-screen', '0', SCREEN, '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  let number = '';
  for await (const piece of /** @type {import('node:stream').Readable} */ (xvfb.stdio[3])) {
    number += piece;
    if (number.includes('\n')) break;
  }
  if (!number) throw new Error('Xvfb does not start.');
  return { display: `:${number.trim()}`, end: () => void xvfb.kill('SIGKILL') };
}

/**
 * Starts the driver on a new virtual screen.
 * @returns {Promise<{ ask: (method: string, path: string, body?: object) => Promise<any>, said: string,
 *   end: () => void }>} ask: a command of the protocol; said: the file of the browser's console
 */
async function openDriver() {
  const folder = mkdtempSync(join(tmpdir(), 'heed-webkit-'));
  const said = join(folder, 'console');
  writeFileSync(said, '');
  const screen = await openScreen();
  const port = await freePort();
  // Safari has SharedArrayBuffer in isolated pages; WebKitGTK needs this switch. Without a GPU, software draws layers
  // at a twentieth of the speed, and frames may be missing.
  const env = { ...process.env, DISPLAY: screen.display, JSC_useSharedArrayBuffer: '1', NO_AT_BRIDGE: '1',
    WEBKIT_DISABLE_COMPOSITING_MODE: '1' };
  const driver = start(DRIVER, ['-p', String(port)], { stdio: 'ignore', env });
  const end = () => {
    driver.kill('SIGKILL');
    screen.end();
    rmSync(folder, { recursive: true, force: true });
    process.off('exit', end);
  };
  process.once('exit', end);

  /** @param {string} method @param {string} path @param {object} [body] */
  async function ask(method, path, body) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: body && JSON.stringify(body) });
    const { value } = /** @type {{ value: any }} */ (await response.json());
    if (response.ok) return value;
    if (value.error === 'invalid session id') {
      throw new Error(`WebKitGTK ended. Its last output: ${readFileSync(said, 'utf8').slice(-500)}`);
    }
    throw new Error(`WebKitWebDriver, ${path.replace(/^\/session\/[^/]*/, '')}: ${value.error}: ${value.message}`);
  }

  for (let tries = 0; tries < 200; tries++, await later(50)) {
    if (await ask('GET', '/status').then(() => true, () => false)) return { ask, said, end };
  }
  end();
  throw new Error('WebKitWebDriver does not answer.');
}

/**
 * The script for the page: runs `work` and replies with its result and the resources that the page has requested.
 * @param {unknown} work a function, or statements without a result, because the page's policy forbids eval
 * @param {unknown} argument
 */
function scriptOf(work, argument) {
  const body = typeof work === 'function'
    ? `return (${work})(${argument === undefined ? '' : JSON.stringify(argument)});` : work;
  return `const done = arguments[arguments.length - 1];
    const told = (more) => done(JSON.stringify({ born: performance.timeOrigin,
      resources: performance.getEntriesByType('resource').map(({ name }) => name), ...more }));
    (async () => { ${body} })().then((value) => told({ value }),
      (error) => told({ error: { message: String(error), stack: String(error?.stack) } }));`;
}

/**
 * @param {{ width: number, height: number }} viewport
 * @param {number} patience milliseconds for a page or a script
 * @returns {Promise<Opened>}
 */
export async function openWebKit(viewport, patience) {
  const driver = await openDriver();
  try {
    return await openBrowser(driver, viewport, patience);
  } catch (error) {
    driver.end();
    throw error;
  }
}

/**
 * @param {Awaited<ReturnType<typeof openDriver>>} driver
 * @param {{ width: number, height: number }} viewport @param {number} patience
 * @returns {Promise<Opened>}
 */
async function openBrowser({ ask, said, end }, viewport, patience) {
  const args = ['-c', `exec ${BROWSER} "$@" 2>${said}`, 'sh', '--automation',
    '--enable-write-console-messages-to-stdout=true', '--javascript-can-open-windows-automatically=true'];
  const { sessionId } = await ask('POST', '/session',
    { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': { binary: '/bin/sh', args } } } });
  const session = `/session/${sessionId}`;
  const file = openSync(said, 'r');

  /** @type {string[]} */ const complaints = [];
  /** @type {string[]} */ const requests = [];
  const buffer = Buffer.alloc(1 << 16);
  let unread = '';
  /** Reads new output of the console. */
  function hear() {
    for (let count; (count = readSync(file, buffer, 0, buffer.length, null)) > 0;) {
      unread += buffer.toString('utf8', 0, count);
    }
    const lines = unread.split('\n');
    unread = lines.pop() ?? '';
    for (const line of lines) {
      const [, url = '', level, text] = CONSOLE.exec(line) ?? [];
      if (level === 'ERROR' || text?.startsWith('heed/lab')) complaints.push(`${text} ${url}`);
    }
  }

  /** Commands run one after another, because some consist of several requests. @type {Promise<unknown>} */
  let last = Promise.resolve();
  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  function inTurn(work) {
    const mine = last.then(work).finally(hear);
    last = mine.catch(() => {});
    return mine;
  }

  /** Number of reported resources of each document. @type {Map<number, number>} */
  const heard = new Map();
  /** @param {unknown} work @param {unknown} argument @returns {Promise<any>} */
  async function run(work, argument) {
    const text = await ask('POST', `${session}/execute/async`, { script: scriptOf(work, argument), args: [] });
    /** @type {Reply} */ const { value, error, born, resources } = JSON.parse(text);
    requests.push(...resources.slice(heard.get(born)));
    heard.set(born, resources.length);
    if (error) throw Object.assign(new Error(error.message), { stack: `${error.message}\n${error.stack}` });
    return value;
  }

  /** Runs work in a frame, then returns to the page. @param {string} element @param {() => Promise<any>} work */
  const within = async (element, work) => {
    await ask('POST', `${session}/frame`, { id: { [ELEMENT]: element } });
    try {
      return await work();
    } finally {
      await ask('POST', `${session}/frame`, { id: null });
    }
  };

  const [keyboard, mouse] = ['key', 'pointer'].map((type) => (/** @type {object[]} */ actions) => inTurn(() =>
    ask('POST', `${session}/actions`, { actions: [{ type, id: type, actions }] })));
  const moved = (/** @type {number} */ x, /** @type {number} */ y) =>
    ({ type: 'pointerMove', duration: 0, x: Math.round(x), y: Math.round(y) });
  const pressed = (/** @type {string} */ key) => {
    const keys = key.split(/(?<=.)\+/).map((each) => KEYS[each] ?? each);
    return [...keys.map((value) => ({ type: 'keyDown', value })),
      ...keys.reverse().map((value) => ({ type: 'keyUp', value }))];
  };

  /** @type {Page & { screenshot: (options: { path: string }) => Promise<void> }} */
  const page = {
    goto: (url) => inTurn(async () => {
      await ask('POST', `${session}/url`, { url });
      if (url.startsWith('http')) requests.push(url);
      await run(() => new Promise((done) => {
        if (document.readyState === 'complete') done(undefined);
        else addEventListener('load', done, { once: true });
      }).then(() => undefined), undefined); // the driver may answer before the load event
    }),
    evaluate: (work, argument) => inTurn(() => run(work, argument)),
    mouse: {
      move: (x, y) => mouse([moved(x, y)]),
      down: () => mouse([{ type: 'pointerDown', button: 0 }]),
      up: () => mouse([{ type: 'pointerUp', button: 0 }]),
      click: (x, y) => mouse([moved(x, y), { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }]),
    },
    keyboard: {
      press: (key) => keyboard(pressed(key)),
      type: (text) => keyboard([...text].flatMap(pressed)),
    },
    screenshot: async ({ path }) => writeFileSync(path, await inTurn(() => ask('GET', `${session}/screenshot`)),
      'base64'),
  };

  /** @param {number} width @param {number} height */
  const resize = (width, height) => inTurn(() => ask('POST', `${session}/window/rect`, { width, height }));

  await ask('POST', `${session}/timeouts`, { script: patience, pageLoad: patience });
  // A pop-up has no toolbar; the buttons of the first window's toolbar keep it at least 447 pixels wide.
  await ask('POST', `${session}/execute/sync`, { script: "open('about:blank', '_blank', 'popup,noopener')", args: [] });
  await ask('DELETE', `${session}/window`);
  const [handle] = await ask('GET', `${session}/window/handles`);
  await ask('POST', `${session}/window`, { handle });
  await resize(viewport.width, viewport.height);

  return {
    page,
    complaints,
    requests,
    resize,
    frame: (part) => inTurn(async () => {
      const frames = await ask('POST', `${session}/elements`, { using: 'css selector', value: 'iframe' });
      for (const { [ELEMENT]: element } of frames) {
        const url = await within(element, () => run(() => location.href, undefined));
        if (!url.includes(part)) continue;
        return { evaluate: (work, argument) => inTurn(() => within(element, () => run(work, argument))) };
      }
      return undefined;
    }),
    theme: null,
    stillness: null,
    tree: null,
    folder: null,
    close: async () => {
      await ask('DELETE', session).catch(() => {});
      closeSync(file);
      end();
    },
  };
}
