/** Renders `code` and **strong** in a line of text. */
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

/** Renders paragraphs of such text, separated by empty lines. */
export const Paragraphs = ({ text }: { text: string }) => (
  <>
    {text.split('\n\n').map((each) => (
      <p>
        <Inline text={each} />
      </p>
    ))}
  </>
);
