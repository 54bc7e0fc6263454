import type { ChainMessage } from '../messages/chain-message.ts'
import { accountVerification } from '../messages/verifications.ts'
import type { ChainAccount } from './chain-account.ts'

/** Gives the account a DID document, without which the chain takes no entity from it. Once for each account. */
export const accountDocumentMessage = ({ did, address }: Pick<ChainAccount, 'did' | 'address'>): ChainMessage => ({
  typeUrl: '/ixo.iid.v1beta1.MsgCreateIidDocument',
  value: {
    id: did,
    controllers: [did],
    verifications: [accountVerification({ did, address })],
    signer: address,
  },
})
