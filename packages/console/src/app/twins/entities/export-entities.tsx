import { Button, Group, Menu } from '@mantine/core'
import { type EntityRecord, entityHits, entityRecord } from '@sibyl/plugin-entities/records'
import { Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readBody } from '../../api/api-client.ts'
import { createPacedClient } from '../../api/paced-client.ts'
import { saveFile } from '../../components/save-file.ts'
import { useFormat } from '../../components/use-format.ts'
import { useNotify } from '../../components/use-notify.ts'
import { pageSchema } from '../../components/use-pages.ts'
import { itemsOf } from '../../components/with-first-page.ts'
import { useApi } from '../../session/console-context.tsx'
import { type EntitySearch, entityQuery } from './entity-search.ts'
import type { Cell } from './write-sheet.ts'

/** The most entities of a file. */
const maxEntities = 100_000

/** Saves the entities that match the filters as CSV or XLSX. */
export const ExportEntities = ({ search }: { readonly search: EntitySearch }) => {
  const { t } = useTranslation('twins')
  const { number } = useFormat()
  const api = useApi()
  const notify = useNotify()
  const [read, setRead] = useState<number>()
  const stopping = useRef<AbortController>(undefined)
  useEffect(() => () => stopping.current?.abort(), [])
  const save = async (kind: 'csv' | 'xlsx') => {
    const stopper = new AbortController()
    const { signal } = stopper
    stopping.current = stopper
    const paced = createPacedClient(api, signal, () => undefined)
    setRead(0)
    try {
      const { csvOf, xlsxOf } = await import('./write-sheet.ts')
      const entities: EntityRecord[] = []
      if (search.q) {
        const query = { q: search.q, type: search.type, limit: 100 }
        const response = await paced.send('GET', 'v1/search', { query })
        const { hits } = readBody(response, await response.json(), entityHits)
        entities.push(...hits.flatMap(({ entity }) => entity ?? []))
      } else {
        let cursor: string | undefined
        do {
          const query = { ...entityQuery(search), limit: 100, cursor }
          const response = await paced.send('GET', 'v1/entities', { query })
          const page = readBody(response, await response.json(), pageSchema('entities', entityRecord))
          entities.push(...itemsOf<EntityRecord>(page, 'entities'))
          cursor = page.next
          setRead(entities.length)
        } while (cursor !== undefined && entities.length < maxEntities)
        if (cursor !== undefined) notify.done(t('export.partial', { shown: number(entities.length) }))
      }
      const table = tableOf(entities)
      saveFile(kind === 'csv' ? csvOf(table) : await xlsxOf(table), `entities.${kind}`)
    } catch (error) {
      if (!signal.aborted) notify.failed(error)
    }
    setRead(undefined)
  }
  if (read !== undefined) {
    return (
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={() => stopping.current?.abort()}>
          {t('export.stop', { shown: number(read) })}
        </Button>
      </Group>
    )
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<Download size={14} aria-hidden />}>
          {t('export.title')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(['csv', 'xlsx'] as const).map(kind => (
          <Menu.Item key={kind} onClick={() => void save(kind)}>
            {t(`export.${kind}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

const members = [
  'did',
  'type',
  'domainClass',
  'status',
  'controller',
  'protocol',
  'version',
  'createdAt',
  'updatedAt',
] as const

/** Returns a table with a column for each property and relationship of any entity. */
const tableOf = (entities: readonly EntityRecord[]): Cell[][] => {
  const names = (of: (entity: EntityRecord) => object) => [...new Set(entities.flatMap(one => Object.keys(of(one))))]
  const properties = names(one => one.properties)
  const relationships = names(one => one.relationships)
  return [
    [...members, ...properties, ...relationships.map(name => `relationships.${name}`)],
    ...entities.map(one => [
      ...members.map(name => cellOf(one[name])),
      ...properties.map(name => cellOf(one.properties[name])),
      ...relationships.map(name => cellOf([one.relationships[name] ?? []].flat().join(' '))),
    ]),
  ]
}

const cellOf = (value: unknown): Cell => {
  if (value === undefined || value === null) return null
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : JSON.stringify(value)
}
