/** A reply of plain text (contract, "JSON style"); `type` is its media type. */
export class PlainText {
  readonly type: string;
  readonly text: string;

  constructor(type: string, text: string) {
    this.type = type;
    this.text = text;
  }
}

/** A reply of plain text that is sent as it is produced; browsers save it as a file named `name`. */
export class StreamedText {
  readonly type: string;
  readonly name: string;
  readonly pieces: AsyncIterable<string>;

  constructor(type: string, name: string, pieces: AsyncIterable<string>) {
    this.type = type;
    this.name = name;
    this.pieces = pieces;
  }
}
