// Everything is sealed under the same nonce.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/plugin/src/sealing/create-vault.ts',
    find: 'const nonce = nonces()',
    replace: 'const nonce = Buffer.alloc(nonceBytes, nonces.length)',
  },
])
