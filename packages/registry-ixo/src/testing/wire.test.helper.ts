/** What a message of protobuf has under each number, read without knowing its type. */
export type Fields = ReadonlyMap<number, readonly (bigint | Buffer)[]>

/** Reads a message of protobuf by the wire format alone, so that it is no library of the registry's that checks it. */
export const decode = (bytes: Uint8Array): Fields => {
  const fields = new Map<number, (bigint | Buffer)[]>()
  let at = 0
  const varint = (): bigint => {
    for (let value = 0n, shift = 0n; ; shift += 7n) {
      const byte = bytes[at]
      if (byte === undefined || shift > 63n) throw new RangeError('The bytes are no protobuf.')
      at += 1
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const kind = tag & 7
    if (kind !== 0 && kind !== 2) throw new RangeError(`Wire type ${kind} is not expected.`)
    if (kind === 0) add(fields, tag >> 3, varint())
    else {
      const length = Number(varint())
      if (at + length > bytes.length) throw new RangeError('The bytes end early.')
      add(fields, tag >> 3, Buffer.from(bytes.subarray(at, at + length)))
      at += length
    }
  }
  return fields
}

const add = (fields: Map<number, (bigint | Buffer)[]>, number: number, value: bigint | Buffer): void => {
  fields.set(number, [...(fields.get(number) ?? []), value])
}

/** The bytes of a field; empty where it is not there. */
export const bytesOf = (fields: Fields, number: number): Buffer => {
  const value = fields.get(number)?.at(-1)
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0)
}

export const textOf = (fields: Fields, number: number): string => bytesOf(fields, number).toString('utf8')

export const textsOf = (fields: Fields, number: number): string[] =>
  (fields.get(number) ?? []).map(value => (Buffer.isBuffer(value) ? value.toString('utf8') : ''))

export const numberOf = (fields: Fields, number: number): number => {
  const value = fields.get(number)?.at(-1)
  return typeof value === 'bigint' ? Number(value) : 0
}

export const messageOf = (fields: Fields, number: number): Fields => decode(bytesOf(fields, number))

export const messagesOf = (fields: Fields, number: number): Fields[] =>
  (fields.get(number) ?? []).map(value => decode(Buffer.isBuffer(value) ? value : Buffer.alloc(0)))

/** One field to write; empty text, no bytes and 0 are left out, as proto3 does. */
export type Field = readonly [number: number, value: string | number | bigint | Uint8Array | undefined]

/** Writes a message of protobuf. */
export const encode = (fields: readonly Field[]): Buffer =>
  Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (value === undefined || value === '' || value === 0 || value === 0n) return []
      if (typeof value === 'number' || typeof value === 'bigint') return [varintOf(number << 3), varintOf(value)]
      const bytes = typeof value === 'string' ? Buffer.from(value) : value
      return [varintOf((number << 3) | 2), varintOf(bytes.length), bytes]
    }),
  )

/** The same field for each of a list. */
export const each = <Item>(number: number, items: readonly Item[], bytes: (item: Item) => Uint8Array): Field[] =>
  items.map(item => [number, bytes(item)])

const varintOf = (value: number | bigint): Buffer => {
  const bytes: number[] = []
  for (let left = BigInt(value); ; left >>= 7n) {
    if (left < 0x80n) return Buffer.from([...bytes, Number(left)])
    bytes.push(Number(left & 0x7fn) | 0x80)
  }
}
