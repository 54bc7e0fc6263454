import { ClientError } from './client-error.ts'

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
