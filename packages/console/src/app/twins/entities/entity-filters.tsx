import { Button, Collapse, Group, Select, TextInput } from '@mantine/core'
import { Search } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { domainClasses } from './domain-classes.ts'
import type { EntitySearch } from './entity-search.ts'

/** The filters of the list of entities. */
export const EntityFilters = ({
  search,
  onChange,
  forMap,
}: {
  readonly search: EntitySearch
  readonly onChange: (next: EntitySearch) => void
  readonly forMap: boolean
}) => {
  const { t } = useTranslation(['twins', 'common'])
  const [draft, setDraft] = useState(search)
  const [isOpen, setOpen] = useState(Boolean(search.protocol ?? search.controller ?? search.property))
  useEffect(() => setDraft(search), [search])
  const text = (name: 'q' | 'type' | 'protocol' | 'controller' | 'property') => ({
    value: draft[name] ?? '',
    onChange: (event: { readonly currentTarget: HTMLInputElement }) => {
      const { value } = event.currentTarget
      setDraft(before => ({ ...before, [name]: value }))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onChange(draft)
  }
  const isSearch = (search.q ?? '') !== ''
  const isNarrowed = Object.entries(search).some(([name, value]) => !['view', 'from'].includes(name) && Boolean(value))
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end">
        {!forMap && (
          <TextInput
            label={t('entities.search')}
            placeholder={t('entities.searchHint')}
            leftSection={<Search size={14} aria-hidden />}
            size="xs"
            flex="1 1 14rem"
            {...text('q')}
          />
        )}
        <TextInput label={t('entities.type')} placeholder="CookStove" size="xs" w="9rem" {...text('type')} />
        {!forMap && !isSearch && (
          <>
            <Select
              label={t('entities.class')}
              size="xs"
              w="10rem"
              clearable
              value={search.class ?? null}
              data={[...domainClasses]}
              onChange={value => onChange({ ...draft, class: value ?? '' })}
            />
            <Select
              label={t('entities.status')}
              size="xs"
              w="9rem"
              clearable
              value={search.status ?? null}
              data={(['active', 'deactivated'] as const).map(value => ({ value, label: t(`status.${value}`) }))}
              onChange={value => onChange({ ...draft, status: value ?? '' })}
            />
          </>
        )}
        <Button type="submit" size="xs">
          {t('common:action.search')}
        </Button>
        {!forMap && !isSearch && (
          <Button size="xs" variant="subtle" color="gray" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t('entities.moreFilters')}
          </Button>
        )}
        {isNarrowed && (
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            onClick={() =>
              onChange({ q: '', type: '', class: '', status: '', protocol: '', controller: '', property: '' })
            }
          >
            {t('common:action.clear')}
          </Button>
        )}
      </Group>
      <Collapse expanded={isOpen && !forMap && !isSearch}>
        <Group gap="xs" mt="xs">
          <TextInput
            label={t('entities.protocol')}
            placeholder="did:web:…"
            size="xs"
            flex="1 1 12rem"
            {...text('protocol')}
          />
          <TextInput
            label={t('entities.controller')}
            placeholder="did:key:…"
            size="xs"
            flex="1 1 12rem"
            {...text('controller')}
          />
          <TextInput
            label={t('entities.property')}
            placeholder="fuel=wood"
            pattern="[^=]+=.*"
            size="xs"
            flex="1 1 10rem"
            {...text('property')}
          />
        </Group>
      </Collapse>
    </form>
  )
}
