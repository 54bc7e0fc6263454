import { ClientError } from './client-error.ts'

/** The browser no longer has the key: its data was cleared, or another tab removed or replaced the key. */
export class KeyLostError extends ClientError {
  readonly code = 'key_lost'
  /** The DID of the lost key. */
  readonly did: string

  constructor(did: string) {
    super(
      `This browser no longer has the key of ${did}: its data was cleared, or another tab removed or replaced the key. ` +
        'Reload the page; if the key is gone, call replace() to start with a new identity.',
    )
    this.did = did
  }
}

/** The browser does not store keys here. `cause` has the browser's error. */
export class KeyStoreError extends ClientError {
  readonly code = 'key_store_unavailable'

  constructor(options?: ErrorOptions) {
    super(
      'The key cannot be stored or read: IndexedDB is blocked, full or missing. ' +
        'Allow this site to store data, or pass a signer of your own.',
      options,
    )
  }
}
