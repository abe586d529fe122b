/** heed/preact: registers all elements and adds their tags to the JSX of Preact. */
import type { HTMLAttributes } from 'preact';
import type { HeedElements, HeedProperties } from './tags.js';

export * from './index.js';

type Tags = {
  [Name in keyof HeedElements]: HTMLAttributes<HeedElements[Name]> & HeedProperties<HeedElements[Name]>;
};

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements extends Tags {}
  }
}
