/** A line of text in which `code` and **strong** words are marked. */
export const Inline = ({ text }: { text: string }) => (
  <>
    {text
      .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
      .map((part) =>
        part.startsWith('`') ? (
          <code>{part.slice(1, -1)}</code>
        ) : part.startsWith('**') ? (
          <strong>{part.slice(2, -2)}</strong>
        ) : (
          part
        ),
      )}
  </>
);

/** Paragraphs of such text, parted by empty lines. */
export const Paragraphs = ({ text }: { text: string }) => (
  <>
    {text.split('\n\n').map((each) => (
      <p>
        <Inline text={each} />
      </p>
    ))}
  </>
);
