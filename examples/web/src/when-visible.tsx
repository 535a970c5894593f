import { useEffect, useRef } from 'react';

/** Calls once it scrolls into view. */
export function WhenVisible({ then }: { then: () => void }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && then(), {
      rootMargin: '600px',
    });
    observer.observe(element.current as HTMLDivElement);
    return () => observer.disconnect();
  }, [then]);
  return <div ref={element} className="more" aria-hidden="true" />;
}
