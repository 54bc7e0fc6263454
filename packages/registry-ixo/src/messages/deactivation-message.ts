import type { ChainAccount } from '../account/chain-account.ts'
import type { ChainEntity } from '../rpc/chain-queries.ts'
import type { ChainMessage } from './chain-message.ts'

/** The status of an entity out of use; 0 is that of one in use. The chain keeps the number and leaves its meaning to us. */
export const deactivatedStatus = 1

/** Takes an entity out of use. The message replaces all that it names: the rest is sent as it is. */
export const deactivationMessage = (
  { id, startDate, endDate, credentials }: ChainEntity,
  { did, address }: Pick<ChainAccount, 'did' | 'address'>,
): ChainMessage => ({
  typeUrl: '/ixo.entity.v1beta1.MsgUpdateEntity',
  value: {
    id,
    entityStatus: deactivatedStatus,
    ...(startDate && { startDate }),
    ...(endDate && { endDate }),
    credentials,
    controllerDid: did,
    controllerAddress: address,
  },
})
