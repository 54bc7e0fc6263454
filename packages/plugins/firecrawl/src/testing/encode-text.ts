/** Encodes text in a charset that Node can only decode, such as `shift_jis`, by inverting its decoder. */
export const encodeText = (text: string, charset: string): Buffer => {
  if (charset === 'utf-16le') return Buffer.from(text, 'utf16le')
  if (charset === 'utf-16be') return Buffer.from(text, 'utf16le').swap16()
  const decoder = new TextDecoder(charset)
  const bytesOf = new Map<string, readonly number[]>()
  const note = (bytes: readonly number[]) => {
    const character = decoder.decode(Uint8Array.from(bytes))
    if ([...character].length === 1 && character !== '\ufffd' && !bytesOf.has(character)) bytesOf.set(character, bytes)
  }
  for (let first = 0; first < 256; first += 1) note([first])
  const isWide = [...text].some(character => !bytesOf.has(character))
  for (let first = 0x81; isWide && first < 0xff; first += 1) {
    for (let second = 0x40; second < 0xff; second += 1) note([first, second])
  }
  return Buffer.from([...text].flatMap(character => bytesOf.get(character) ?? []))
}
