import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Mnemonic, type SigningKey, signingKeyFromMnemonic } from '@sibyl/identity'
import { parseJson } from '@sibyl/protocol'
import { cliErrors } from '../errors/cli-errors.ts'
import { codeOf } from '../errors/code-of.ts'
import type { CommandError } from '../errors/command-error.ts'
import { makePrivate, openHomeFolder } from '../home/home-folder.ts'
import { replaceFile, writeNewFile } from '../home/through-draft.ts'
import { readProjectFile } from '../project/read-project-file.ts'
import { checkKeptName, checkKeyName, type KeyFile, type KeyHeader, keyFile } from './key-file.ts'
import { openSealedKey, sealKey } from './seal-key.ts'

/** A stored key, without its secret. */
export interface KeptKey extends KeyHeader {
  readonly path: string
}

interface OpenedKey {
  readonly key: SigningKey
  readonly words: Mnemonic
}

/** Encrypted keys in the folder `keys` of the home folder, each in a file for its owner alone. */
export class Keystore {
  readonly #folder: string
  readonly #report: (remark: string) => void
  readonly #cost: KeyFile['kdf']['N'] | undefined

  /**
   * @param report Receives a sentence about a file whose mode was fixed.
   * @param cost see `sealKey`
   */
  constructor(home: string, report: (remark: string) => void = () => {}, cost?: KeyFile['kdf']['N']) {
    this.#folder = join(home, 'keys')
    this.#report = report
    this.#cost = cost
  }

  /** Returns the keys by name, retired ones after their successors. */
  async list(): Promise<readonly KeptKey[]> {
    const names = (await this.#names()).toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    return Promise.all(names.map(async name => headerOf(await this.#read(name), this.#path(name))))
  }

  /** Returns one key, without its secret. Throws `key_missing`, `usage_invalid`, `configuration_invalid`. */
  async find(name: string): Promise<KeptKey> {
    return headerOf(await this.#read(checkKeptName(name)), this.#path(name))
  }

  /** Decrypts a key. Throws `passphrase_wrong`, `key_missing`, `usage_invalid`, `configuration_invalid`. */
  async open(name: string, passphrase: string): Promise<OpenedKey> {
    const file = await this.#read(checkKeptName(name))
    const words = await openSealedKey(file, passphrase)
    if (words) {
      const key = await signingKeyFromMnemonic(words)
      if (key.did === file.did) return { key, words }
    }
    throw cliErrors.passphrase_wrong(
      `The passphrase does not decrypt the key ${name}.`,
      `Try again. If you are sure of it, ${this.#path(name)} was changed: restore it from a copy, or import its mnemonic.`,
    )
  }

  /** Stores a new key. Throws `key_exists`, `usage_invalid`, `configuration_invalid`. */
  async add(name: string, words: Mnemonic, passphrase: string): Promise<KeptKey> {
    await this.assertFree(name)
    const sealed = await sealKey(await newHeader(name, words), words, passphrase, this.#cost)
    if (!(await this.#writing(name, path => writeNewFile(path, serialize(sealed))))) throw this.#exists(name)
    return headerOf(sealed, this.#path(name))
  }

  /** @throws `key_exists` when a key with that name exists, `usage_invalid` */
  async assertFree(name: string): Promise<void> {
    if ((await this.#names()).includes(checkKeyName(name))) throw this.#exists(name)
  }

  /**
   * Stores a key as retired, under the name with the next number appended; one that is already retired under this
   * passphrase stays unchanged.
   *
   * @param createdAt The time of its creation. @default now
   */
  async addRetired(name: string, words: Mnemonic, passphrase: string, createdAt?: string): Promise<KeptKey> {
    const header = await newHeader(checkKeyName(name), words)
    const earlier = (await this.list()).filter(it => it.name.startsWith(`${name}.`))
    for (const same of earlier.filter(({ did }) => did === header.did)) {
      if (await this.#opens(same.name, passphrase)) return same
    }
    const numbers = earlier.map(it => Number(it.name.slice(name.length + 1)))
    const retiredName = `${name}.${Math.max(0, ...numbers) + 1}`
    const retiredHeader = {
      ...header,
      name: retiredName,
      createdAt: createdAt ?? header.createdAt,
      retiredAt: header.createdAt,
    }
    const sealed = await sealKey(retiredHeader, words, passphrase, this.#cost)
    if (!(await this.#writing(retiredName, path => writeNewFile(path, serialize(sealed))))) throw changedMeanwhile(name)
    return headerOf(sealed, this.#path(retiredName))
  }

  /**
   * Replaces a key with a new one, and stores the old one as retired, both under the same passphrase.
   *
   * @throws `passphrase_wrong`, `key_missing`, `usage_invalid`, `configuration_invalid`, `key_exists` when another
   * rotation was faster
   */
  async rotate(name: string, words: Mnemonic, passphrase: string): Promise<{ made: KeptKey; retired: KeptKey }> {
    const before = await this.open(checkKeyName(name), passphrase)
    const { createdAt } = await this.find(name)
    const retired = await this.addRetired(name, before.words, passphrase, createdAt)
    const sealed = await sealKey(await newHeader(name, words), words, passphrase, this.#cost)
    if ((await this.find(name)).did !== retired.did) throw changedMeanwhile(name)
    await this.#writing(name, path => replaceFile(path, serialize(sealed)))
    return { made: headerOf(sealed, this.#path(name)), retired }
  }

  async #opens(name: string, passphrase: string): Promise<boolean> {
    return (await openSealedKey(await this.#read(name), passphrase)) !== undefined
  }

  async #names(): Promise<string[]> {
    const files = await readdir(this.#folder).catch(cause => {
      if (codeOf(cause) === 'ENOENT') return []
      throw this.#unusable(this.#folder, cause)
    })
    return files.flatMap(file => /^([a-z0-9][a-z0-9-]{0,39}(?:\.[1-9]\d{0,3})?)\.json$/.exec(file)?.[1] ?? [])
  }

  async #read(name: string): Promise<KeyFile> {
    const path = this.#path(name)
    const text = await readProjectFile(path)
    if (text === undefined) {
      throw cliErrors.key_missing(`The key ${name} does not exist.`, 'sibyl keys show lists your keys.')
    }
    const file = keyFile.safeParse(parseJson(text))
    if (!file.success || file.data.name !== name) {
      const remedy = 'Restore the file, or move it away and import its mnemonic: sibyl keys import'
      throw cliErrors.configuration_invalid(`The key file ${path} is damaged.`, remedy)
    }
    await this.#fix(path)
    return file.data
  }

  async #writing<Result>(name: string, write: (path: string) => Promise<Result>): Promise<Result> {
    await openHomeFolder(this.#folder)
    return write(this.#path(name)).catch(cause => {
      throw this.#unusable(this.#path(name), cause)
    })
  }

  /** Fixes the mode of a file: others who could read it may try passphrases offline. */
  async #fix(path: string): Promise<void> {
    const fixed = await makePrivate(path)
    if (fixed !== undefined) this.#report(`${fixed} If others use this computer, rotate the key.`)
  }

  #path(name: string): string {
    return join(this.#folder, `${name}.json`)
  }

  #exists(name: string): CommandError {
    return cliErrors.key_exists(
      `A key with the name ${name} already exists.`,
      `Use another name, or: sibyl keys rotate ${name}`,
    )
  }

  #unusable(path: string, cause: unknown): CommandError {
    const remedy = 'Check the owner of the file and the free disk space, or set SIBYL_HOME to another folder.'
    return cliErrors.configuration_invalid(
      `${path} cannot be read or written (${codeOf(cause) ?? 'unknown'}).`,
      remedy,
      { cause },
    )
  }
}

const changedMeanwhile = (name: string): CommandError =>
  cliErrors.key_exists(
    `Another command changed the key ${name} at the same time.`,
    'Check the current keys: sibyl keys show',
  )

const newHeader = async (name: string, words: Mnemonic): Promise<KeyHeader> => {
  const { did } = await signingKeyFromMnemonic(words)
  return { version: 1, name, did, createdAt: new Date().toISOString() }
}

const headerOf = ({ version, name, did, createdAt, retiredAt }: KeyFile, path: string): KeptKey => ({
  version,
  name,
  did,
  createdAt,
  retiredAt,
  path,
})

const serialize = (file: KeyFile): string => `${JSON.stringify(file, null, 2)}\n`
