import {
  createMnemonic,
  createSigningKey,
  mintInvocation,
  parseMnemonic,
  signingKeyFromMnemonic,
} from '@sibyl/identity'

/** An oracle's mnemonic, and a caller who mints invocations for it. */
export interface Invocations {
  /** For `ORACLE_MNEMONIC`. */
  readonly mnemonic: string
  /**
   * Mints invocations of `chat/send` that are valid for 900 seconds.
   *
   * @param callers Number of callers, in turn. @default 1
   */
  mint(count: number, callers?: number): Promise<string[]>
}

/** Makes a mnemonic and the caller that goes with it. */
export const createInvocations = async (): Promise<Invocations> => {
  const mnemonic = createMnemonic(12).reveal()
  const parsed = parseMnemonic(mnemonic)
  if (!parsed.ok) throw new Error(parsed.message)
  const { did } = await signingKeyFromMnemonic(parsed.mnemonic)
  const keys = [createSigningKey()]
  const keyOf = (index: number) => (keys[index] ??= createSigningKey())
  const mintOne = (person: number) =>
    mintInvocation({
      key: keyOf(person),
      audience: did,
      resource: `oracle:${did}`,
      abilities: ['chat/send'],
      lifetimeSeconds: 900,
    })
  return {
    mnemonic,
    mint: (count, callers = 1) => Promise.all(Array.from({ length: count }, (_, index) => mintOne(index % callers))),
  }
}
