import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto'

const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  const size = content.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
const ed25519 = sequence(der(0x06, Buffer.from([0x2b, 0x65, 0x70])))
const commonName = Buffer.from([0x55, 0x04, 0x03])

/** Creates an untrusted certificate for 127.0.0.1 (X.509, Ed25519), with its key, as PEM. */
export const selfSigned = (): { readonly key: string; readonly cert: string } => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const name = sequence(der(0x31, sequence(der(0x06, commonName), der(0x0c, Buffer.from('127.0.0.1')))))
  const time = (text: string) => der(0x17, Buffer.from(text))
  const toSign = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ed25519,
    name,
    sequence(time('200101000000Z'), time('491231235959Z')),
    name,
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
  )
  const cert = sequence(toSign, ed25519, der(0x03, Buffer.from([0]), sign(null, toSign, privateKey)))
  return {
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    cert: `-----BEGIN CERTIFICATE-----\n${cert.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}
