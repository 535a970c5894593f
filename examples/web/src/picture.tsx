import { useState } from 'react';

/**
 * A picture of a document. Its URL is signed, and another one each time the document is read: the first one stays until it
 * has expired, so that the picture is loaded once.
 */
export function Picture({ url, alt, className }: { url: string; alt: string; className?: string }) {
  const [src, setSrc] = useState(url);
  return <img className={className} src={src} alt={alt} loading="lazy" onError={() => setSrc(url)} />;
}
