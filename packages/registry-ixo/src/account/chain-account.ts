import { type Mnemonic, signingKeyFromMnemonic } from '@sibyl/identity'
import type { ChainLibraries } from '../libraries/load-libraries.ts'

/** A transaction before it is signed: who it is from, at which place, and what it may cost. */
export interface UnsignedTransaction {
  /** A `TxBody` in protobuf. */
  readonly body: Uint8Array
  readonly chainId: string
  readonly accountNumber: number
  readonly sequence: number
  readonly gas: number
  /** In the coin's smallest unit. */
  readonly fee: { readonly amount: string; readonly denom: string }
}

/** The account of a mnemonic on the chain. Printing or serialising it shows its address and nothing secret. */
export interface ChainAccount {
  /** Bech32, `ixo1…` */
  readonly address: string
  /** The DID of the account's key at the chain: `did:x:zQ3s…`. */
  readonly did: string
  /** The DID of the mnemonic's Ed25519 key, with which the oracle signs: `did:key:z6Mk…`. */
  readonly keyDid: string
  /** Signs with SIGN_MODE_DIRECT. @returns a `TxRaw` in protobuf */
  sign(transaction: UnsignedTransaction): Promise<Uint8Array>
  /** The same without a signature, for a simulation. */
  withoutSignature(transaction: UnsignedTransaction): Uint8Array
}

/**
 * Derives the account of a mnemonic: BIP-39 seed, BIP-32 on secp256k1 at m/44'/118'/0'/0/0, prefix `ixo`.
 *
 * @param mnemonic The words of the oracle; its Ed25519 key comes from the same words, on another path.
 */
export const chainAccountOf = async (mnemonic: Mnemonic, { sdk, signing }: ChainLibraries): Promise<ChainAccount> => {
  const wallet = await signing.DirectSecp256k1HdWallet.fromMnemonic(mnemonic.reveal(), { prefix: 'ixo' })
  const [account] = await wallet.getAccounts()
  if (!account) throw new TypeError('The wallet has no account.')
  const { address } = account
  const value = Buffer.from(account.pubkey).toString('base64')
  const pubkey = signing.encodePubkey({ type: 'tendermint/PubKeySecp256k1', value })
  const { TxRaw } = sdk.cosmos.tx.v1beta1

  const authInfo = ({ sequence, gas, fee }: UnsignedTransaction) =>
    signing.makeAuthInfoBytes([{ pubkey, sequence }], [fee], gas)

  return {
    address,
    did: sdk.utils.did.generateSecpDid(account.pubkey),
    keyDid: (await signingKeyFromMnemonic(mnemonic)).did,
    async sign(transaction) {
      const { body, chainId, accountNumber } = transaction
      const document = signing.makeSignDoc(body, authInfo(transaction), chainId, accountNumber)
      const { signed, signature } = await wallet.signDirect(address, document)
      const { bodyBytes, authInfoBytes } = signed
      const signatures = [Buffer.from(signature.signature, 'base64')]
      return TxRaw.encode({ bodyBytes, authInfoBytes, signatures }).finish()
    },
    withoutSignature(transaction) {
      const { body: bodyBytes } = transaction
      return TxRaw.encode({ bodyBytes, authInfoBytes: authInfo(transaction), signatures: [new Uint8Array()] }).finish()
    },
  }
}
