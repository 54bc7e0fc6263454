import { element, given, identifier } from './elements.js'
import { documentSection } from './entity-document.js'
import { graphSection } from './entity-graph.js'
import { historySection } from './entity-history.js'
import { entitiesHash } from './hash-route.js'
import { badge, copyButton, didLink, facts, namedLink, section, time, valueList } from './parts.js'
import { filled } from './states.js'
import { nameOf, shortId } from './words.js'
/** @import { EntityRecord } from '@sibyl/protocol' */
/** @import { Api } from './api.js' */

/**
 * One entity, with all that is known of it.
 *
 * @param {Api} api
 * @param {string} did
 * @param {AbortSignal} signal
 * @returns {HTMLElement[]}
 */
export const entityPage = (api, did, signal) => [
  element('p', { class: 'trail' }, element('a', { href: entitiesHash() }, 'Entities')),
  filled(
    'Reading the entity',
    () => api.get(`v1/entities/${encodeURIComponent(did)}`, { signal }),
    entity => shownEntity(api, entity, signal),
    signal,
    'Entity',
  ),
]

/**
 * @param {Api} api
 * @param {EntityRecord} entity
 * @param {AbortSignal} signal
 */
const shownEntity = (api, entity, signal) => [
  element('h1', { tabindex: -1 }, given(nameOf(entity))),
  element(
    'p',
    { class: 'subtitle' },
    badge(entity.status, entity.status === 'active' ? 'good' : 'plain'),
    element('span', {}, given(entity.type)),
    element('span', {}, entity.domainClass),
    element('span', {}, 'changed ', time(entity.updatedAt)),
  ),
  element('p', { class: 'did' }, identifier(entity.did, entity.did), copyButton(entity.did, 'the DID')),
  element(
    'div',
    { class: 'columns' },
    section('Properties', ...propertiesOf(api, entity, signal)),
    element('div', {}, section('Record', recordOf(entity)), section('Credentials', credentialsOf(entity))),
  ),
  graphSection(api, entity, signal),
  historySection(api, entity, signal),
  documentSection(api, entity, signal),
]

/** More names than this of one relationship are not read. */
const mostNames = 10

/**
 * @param {Api} api
 * @param {EntityRecord} entity
 * @param {AbortSignal} signal
 */
const propertiesOf = (api, { properties, services, relationships, type }, signal) => [
  Object.keys(properties).length === 0 ? element('p', { class: 'quiet' }, 'It has none.') : valueList(properties),
  type !== 'Protocol' &&
    Object.keys(relationships).length > 0 &&
    element(
      'div',
      { class: 'sub' },
      element('h3', {}, 'Related to'),
      facts(
        Object.entries(relationships).map(([name, dids]) => [
          name,
          [dids]
            .flat()
            .map((did, place) => element('div', {}, place < mostNames ? namedLink(api, did, signal) : didLink(did))),
        ]),
      ),
    ),
  services.length > 0 &&
    element(
      'div',
      { class: 'sub' },
      element('h3', {}, 'Services'),
      facts(services.map(({ id, type, endpoint }) => [id, [given(type), element('br'), given(endpoint)]])),
    ),
]

/** @param {EntityRecord} entity */
const recordOf = ({ controller, pendingController, protocol, protocolVersion, version, createdAt, alsoKnownAs }) =>
  facts([
    ['Controller', didLink(controller)],
    pendingController !== undefined && ['Offered to', didLink(pendingController)],
    protocol === undefined ? ['Protocol', 'none'] : ['Protocol', [didLink(protocol), ` version ${protocolVersion}`]],
    ['Created', time(createdAt)],
    ['Version', String(version)],
    alsoKnownAs.length > 0 && ['Also known as', alsoKnownAs.map(name => element('div', {}, given(name)))],
  ])

/** @param {EntityRecord} entity */
const credentialsOf = ({ verifiableCredential }) =>
  verifiableCredential.length === 0
    ? element('p', { class: 'quiet' }, 'None were issued to it.')
    : element(
        'ul',
        { class: 'plain' },
        ...verifiableCredential.map(({ id, type, issuer, verified }) =>
          element(
            'li',
            {},
            element('span', { class: 'strong' }, given(type)),
            element('small', {}, 'by ', identifier(issuer, shortId(issuer))),
            verified === false && element('small', {}, 'unverified'),
            id !== undefined && element('small', {}, identifier(id, shortId(id))),
          ),
        ),
      )
