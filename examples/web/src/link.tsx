import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { addressOf, go, type Route } from './route.ts';

/** A link within the page: opens in another tab as every link does. */
export function Link({ to, ...rest }: { to: Route } & AnchorHTMLAttributes<HTMLAnchorElement>) {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(to);
  };
  return <a href={addressOf(to)} onClick={follow} {...rest} />;
}
