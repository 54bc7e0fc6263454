import { type Route, route } from '@sibyl/plugin'
import { z } from 'zod'
import { credentialMembers, readDocument } from '../documents/read-document.ts'
import type { CredentialVerifier } from '../verifying/create-verifier.ts'
import { verdict } from '../verifying/verdict.ts'

/** `POST /credentials/verify`, open to anybody. */
export const verifyRoute = (verifier: CredentialVerifier): Route =>
  route.post(
    '/credentials/verify',
    {
      auth: 'public',
      summary: 'Verify a credential',
      description:
        'The body is the credential, or an object that has it as `credential` or `verifiableCredential`. Cryptosuites: eddsa-jcs-2022 and ' +
        'eddsa-rdfc-2022. Issuers: did:key, this oracle, and its entities. A credential that is not good is an answer too.',
      body: z.looseObject({}),
      ok: { 200: { description: 'The verdict, check by check', schema: verdict } },
      errors: [{ code: 'rate_limited', status: 429 }],
      rateLimit: { name: 'credentials-verify', perMinute: 30 },
    },
    async c => c.json(await verifier.verify(readDocument(await c.req.text(), ...credentialMembers)), 200),
  )
