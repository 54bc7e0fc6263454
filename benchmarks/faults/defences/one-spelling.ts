// Base64url is read with padding, white space and unused bits, as most libraries read it.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/identity/src/encoding/base64url.ts',
    find: 'if (!CANONICAL.test(text)) return undefined',
    replace: "return new Uint8Array(Buffer.from(text, 'base64url'))",
  },
])
