import { randomBytes } from 'node:crypto'
import { createSigningKey, type SigningKey } from '@sibyl/identity'
import { Computer, readLink } from './page/computer.ts'
import { signFacts } from './page/sign.ts'
import type { SigningFacts } from './signing-protocol.ts'

/** A phone without a screen: it sends what the page sends, by the page's own code. */
export class Phone {
  readonly key: SigningKey
  readonly computer: Computer

  constructor(link: URL, key: SigningKey = createSigningKey(), device = randomBytes(16).toString('hex')) {
    this.key = key
    const { origin, pathname, hash } = link
    this.computer = new Computer(readLink({ origin, pathname, hash })!, device, (path, init) =>
      fetch(new URL(String(path), origin), { ...init, headers: { ...init?.headers, origin } }),
    )
  }

  /** Opens the link and unlocks its key. */
  async open(): Promise<SigningFacts> {
    const { facts } = await this.computer.claim()
    await this.computer.nameKey(this.key.did)
    return facts
  }

  /** Opens the link, and signs. */
  async sign(): Promise<string> {
    return this.computer.sign(await signFacts(await this.open(), this.key))
  }
}
