// A proof is over its own options alone, and not over the document.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/plugins/credentials/src/proofs/jcs-digest.ts',
    find: 'sha256(document)',
    replace: 'sha256({})',
  },
])
