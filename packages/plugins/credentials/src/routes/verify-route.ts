import { defineRoute, type Route, routeAnswers } from '@sibyl/plugin'
import { z } from 'zod'
import { credentialMembers, readDocument } from '../documents/read-document.ts'
import type { CredentialVerifier } from '../verifying/create-verifier.ts'
import { verdict } from '../verifying/verdict.ts'

const { json, problem, body } = routeAnswers

/** `POST /credentials/verify`, open to anybody. */
export const verifyRoute = (verifier: CredentialVerifier): Route =>
  defineRoute(
    'public',
    {
      method: 'post',
      path: '/credentials/verify',
      summary: 'Verify a credential',
      description:
        'The body is the credential, or an object that has it as `credential` or `verifiableCredential`. Cryptosuites: eddsa-jcs-2022 and ' +
        'eddsa-rdfc-2022. Issuers: did:key, this oracle, and its entities. A credential that is not good is an answer too.',
      request: { body: body(z.looseObject({})) },
      responses: { 200: json('The verdict, check by check', verdict), 429: problem('`rate_limited`') },
    },
    async c => c.json(await verifier.verify(readDocument(await c.req.text(), ...credentialMembers)), 200),
    { rateLimit: { name: 'credentials-verify', perMinute: 30 } },
  )
