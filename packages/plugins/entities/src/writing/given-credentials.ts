import type { credentialChecks, ServiceOf, Violation } from '@sibyl/protocol'
import { entityInvalid } from '../errors/entities-errors.ts'
import type { EntityCreation } from '../records/entity-contract.ts'
import type { CredentialEntry, GivenCredential } from '../records/entity-members.ts'
import type { NewEntity } from '../records/stored-entity.ts'
import { violationOf } from '../state/entity-limits.ts'

type CredentialCheck = Parameters<ServiceOf<typeof credentialChecks>['use']>[0]
type CheckedCredential = Awaited<ReturnType<CredentialCheck>>

/** Reads the credentials in a registration, and registers the plugin that verifies them. */
export interface GivenCredentials {
  readonly checks: ServiceOf<typeof credentialChecks>
  /**
   * Returns a creation with its credentials in stored form: stated entries as unverified, whole credentials by their
   * content.
   *
   * @throws `entity_invalid` if a whole credential does not verify
   */
  read(creation: EntityCreation): Promise<NewEntity>
}

type WholeCredential = Extract<GivenCredential, { readonly proof: unknown }>

/** Creates the reader of given credentials. Until a check is registered, no whole credential verifies. */
export const createGivenCredentials = (): GivenCredentials => {
  let check: CredentialCheck = async () => ({
    verified: false,
    detail: 'no plugin of this oracle verifies credentials. Send its type and issuer instead',
  })
  return {
    checks: {
      use(given) {
        check = given
      },
    },
    async read({ verifiableCredential: given, ...creation }) {
      if (given === undefined) return creation
      const entries: CredentialEntry[] = []
      const violations: Violation[] = []
      for (const [index, one] of given.entries()) {
        if (!isWhole(one)) entries.push({ ...one, verified: false })
        else {
          const checked = await check(one)
          if (checked.verified) entries.push(entryOf(checked))
          else
            violations.push(
              violationOf(`/verifiableCredential/${index}`, 'credential_unverified', textOf(checked.detail)),
            )
        }
      }
      if (violations.length > 0) throw entityInvalid(violations)
      return { ...creation, verifiableCredential: entries }
    },
  }
}

const isWhole = (one: GivenCredential): one is WholeCredential => Object.hasOwn(one, 'proof')

const entryOf = ({ id, type, issuer }: CheckedCredential & { readonly verified: true }): CredentialEntry => ({
  id,
  type,
  issuer,
})

const textOf = (detail: string): string => `Does not verify: ${detail.slice(0, 400)}.`
