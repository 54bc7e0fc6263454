import {
  apiKeyList,
  bearerRecord,
  bearerRevocationRecord,
  createdApiKeyRecord,
  delegationRecord,
  grantList,
  grantRecord,
  revocationRecord,
  signInList,
} from './auth-records.ts'
import { apiKeyRequest, bearerRequest, grantRequest, revocationRequest } from './auth-requests.ts'

/** Bodies and responses of the routes for API keys, bearers, delegations, revocations and sign-ins. */
export const authSchemas = {
  apiKeyList,
  apiKeyRequest,
  bearerRecord,
  bearerRequest,
  bearerRevocationRecord,
  createdApiKeyRecord,
  delegationRecord,
  grantList,
  grantRecord,
  grantRequest,
  revocationRecord,
  revocationRequest,
  signInList,
} as const
