// The signature of a proof is not verified.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/plugins/credentials/src/proofs/verify-proof.ts',
    find: ', digest.bytes, signature)',
    replace: ', digest.bytes, signature) || signature.length === 64',
  },
])
