/** What was just done. */
export const Done = ({ text }: { text: string | undefined }) =>
  text ? (
    <div class="note" role="status">
      <p>{text}</p>
    </div>
  ) : null;
