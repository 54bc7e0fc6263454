import { type EntityCreation, type EntityRecord, entityCreation, entityRecord } from './entity-contract.ts'

/** The class that each entity is one of, and its status. */
export const { domainClass, status: entityStatus } = entityRecord.shape

/** The four classes. */
export const domainClasses = domainClass.options

/** The type of an entity: `Device`, `CookStove`. */
export const entityType = entityCreation.shape.type

export type DomainClass = EntityRecord['domainClass']
export type EntityStatus = EntityRecord['status']
export type ServiceEntry = EntityRecord['services'][number]
export type CredentialEntry = EntityRecord['verifiableCredential'][number]
export type GivenCredential = NonNullable<EntityCreation['verifiableCredential']>[number]
