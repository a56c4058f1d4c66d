/** Writes a text, and resolves when it was handed to the system, so that the program can end. */
export function print(stream: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

export const printJson = (stream: NodeJS.WritableStream, value: unknown) =>
  print(stream, `${JSON.stringify(value)}\n`);
