import { type ReactNode, useEffect, useRef, useState } from 'react';

/** What follows in a list, as soon as one scrolls to it. */
export function More({ children }: { children: ReactNode }) {
  const [visible, setVisible] = useState(false);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const show: IntersectionObserverCallback = ([entry]) => entry?.isIntersecting && setVisible(true);
    const observer = new IntersectionObserver(show, { rootMargin: '600px' });
    if (end.current) observer.observe(end.current);
    return () => observer.disconnect();
  }, []);
  return visible ? children : <div ref={end} className="more" aria-hidden="true" />;
}
