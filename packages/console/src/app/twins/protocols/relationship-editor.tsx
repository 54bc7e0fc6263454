import { ActionIcon, Button, Group, Stack, TextInput } from '@mantine/core'
import { Plus, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { nextId, type Relationship, repeatedNames } from './protocol-draft.ts'

/** Edits the relationships that entities of a protocol may have. */
export const RelationshipEditor = ({
  relationships,
  onChange,
}: {
  readonly relationships: readonly Relationship[]
  readonly onChange: (relationships: readonly Relationship[]) => void
}) => {
  const { t } = useTranslation('twins')
  const repeated = repeatedNames(relationships)
  const replace = (next: Relationship) => onChange(relationships.map(one => (one.id === next.id ? next : one)))
  const add = () => {
    const id = nextId(relationships)
    onChange([...relationships, { id, name: `relationship${id + 1}`, kind: 'any' }])
  }
  return (
    <Stack gap="xs" role="group" aria-label={t('entity.relationships')}>
      {relationships.map(one => (
        <Group key={one.id} gap="xs" align="flex-end">
          <TextInput
            size="xs"
            label={t('protocols.fieldName')}
            flex="1 1 8rem"
            value={one.name}
            error={repeated.has(one.name) ? t('protocols.nameRepeated') : undefined}
            onChange={event => replace({ ...one, name: event.currentTarget.value })}
          />
          <TextInput
            size="xs"
            label={t('protocols.kind')}
            placeholder="Organisation"
            flex="1 1 8rem"
            value={one.kind}
            onChange={event => replace({ ...one, kind: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            mb={2}
            aria-label={`${t('protocols.removeRelationship')}: ${one.name}`}
            onClick={() => onChange(relationships.filter(({ id }) => id !== one.id))}
          >
            <Trash2 size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <Group>
        <Button size="compact-sm" variant="default" leftSection={<Plus size={14} aria-hidden />} onClick={add}>
          {t('protocols.addRelationship')}
        </Button>
      </Group>
    </Stack>
  )
}
