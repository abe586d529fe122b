/** heed/react: registers all elements and adds their tags to the JSX of React. */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { HeedElements, HeedProperties } from './tags.js';

export * from './index.js';

type Tags = {
  [Name in keyof HeedElements]:
    DetailedHTMLProps<HTMLAttributes<HeedElements[Name]>, HeedElements[Name]> & HeedProperties<HeedElements[Name]>;
};

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements extends Tags {}
  }
}
