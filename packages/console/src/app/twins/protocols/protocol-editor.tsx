import { Button, Grid, Group, Select, Stack, Tabs, Text, Textarea } from '@mantine/core'
import type { DomainClass } from '@sibyl/plugin-entities/records'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../../api/problem.ts'
import { CommandHint } from '../../components/command-hint.tsx'
import { Note } from '../../components/note.tsx'
import { Section } from '../../components/section.tsx'
import { ErrorState } from '../../components/states.tsx'
import { domainClasses } from '../entities/domain-classes.ts'
import { FieldEditor } from './field-editor.tsx'
import { FormPreview } from './form-preview.tsx'
import { documentOf, draftOf, type ProtocolDocument, type ProtocolDraft, repeatedNames } from './protocol-draft.ts'
import { RelationshipEditor } from './relationship-editor.tsx'
import { RubricEditor } from './rubric-editor.tsx'

/** Edits a protocol as a form, beside its preview and its JSON. */
export const ProtocolEditor = ({
  initial,
  above,
  saveLabel,
  commandsFor,
  canSave,
  onSave,
}: {
  readonly initial: ProtocolDocument
  readonly above?: ReactNode
  readonly saveLabel: string
  readonly commandsFor: (document: ProtocolDocument) => readonly string[]
  /** Whether the user may save. */
  readonly canSave: boolean
  readonly onSave: (document: ProtocolDocument) => Promise<void>
}) => {
  const { t } = useTranslation('twins')
  const [draft, setDraft] = useState<ProtocolDraft>(() => draftOf(initial) ?? emptyDraft)
  /** Edits of the form start its fields again from the JSON. */
  const [generation, setGeneration] = useState(0)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const document = documentOf(draft)
  const isChanged = JSON.stringify(document) !== JSON.stringify(documentOf(draftOf(initial) ?? emptyDraft))
  const isRepeated = [draft.properties, draft.claimProperties, draft.relationships].some(
    list => repeatedNames(list).size > 0,
  )
  const change = (next: Partial<ProtocolDraft>) => setDraft(before => ({ ...before, ...next }))
  const save = async () => {
    setBusy(true)
    try {
      await onSave(document)
      setFailure(undefined)
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <Stack gap="md" key={generation}>
          {above}
          <Section title={t('protocols.properties')}>
            <FieldEditor
              label={t('protocols.properties')}
              fields={draft.properties}
              onChange={properties => change({ properties })}
            />
          </Section>
          <Section title={t('protocols.claimFields')}>
            <FieldEditor
              label={t('protocols.claimFields')}
              fields={draft.claimProperties}
              onChange={claimProperties => change({ claimProperties })}
            />
          </Section>
          <Section title={t('protocols.rubric')}>
            <RubricEditor
              conditions={draft.rubric}
              fields={draft.claimProperties}
              onChange={rubric => change({ rubric })}
            />
          </Section>
          <Section title={t('entity.relationships')}>
            <RelationshipEditor
              relationships={draft.relationships}
              onChange={relationships => change({ relationships })}
            />
          </Section>
          <Select
            label={t('entities.class')}
            description={t('protocols.classHint')}
            size="xs"
            maw="16rem"
            clearable
            value={draft.domainClass ?? null}
            data={[...domainClasses]}
            onChange={value => change({ domainClass: (value ?? undefined) as DomainClass | undefined })}
          />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <Stack gap="md" style={{ position: 'sticky', insetBlockStart: '4rem' }}>
          <Tabs defaultValue="preview">
            <Tabs.List mb="sm">
              <Tabs.Tab value="preview">{t('protocols.preview')}</Tabs.Tab>
              <Tabs.Tab value="json">JSON</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="preview">
              <Stack gap="sm">
                <FormPreview label={t('protocols.entityForm')} fields={draft.properties} />
                <FormPreview label={t('protocols.claimForm')} fields={draft.claimProperties} />
                <Text size="xs" c="dimmed">
                  {t('protocols.previewNote')}
                </Text>
              </Stack>
            </Tabs.Panel>
            <Tabs.Panel value="json">
              <JsonEditor
                document={document}
                onChange={next => {
                  setDraft(next)
                  setGeneration(generation + 1)
                }}
              />
            </Tabs.Panel>
          </Tabs>
          {failure !== undefined && <SaveFailure failure={failure} />}
          <Group>
            <Button loading={isBusy} disabled={!canSave || !isChanged || isRepeated} onClick={() => void save()}>
              {saveLabel}
            </Button>
            {!isChanged && <Note>{t('protocols.unchanged')}</Note>}
          </Group>
          <CommandHint commands={commandsFor(document)} />
        </Stack>
      </Grid.Col>
    </Grid>
  )
}

const emptyDraft: ProtocolDraft = {
  properties: [],
  claimProperties: [],
  rubric: [],
  relationships: [],
  domainClass: undefined,
}

const JsonEditor = ({
  document,
  onChange,
}: {
  readonly document: ProtocolDocument
  readonly onChange: (draft: ProtocolDraft) => void
}) => {
  const { t } = useTranslation('twins')
  /** The text as typed, while the form has not changed the document since. */
  const [typed, setTyped] = useState({ text: '', document: '' })
  const current = JSON.stringify(document)
  const isTyped = typed.document === current
  const text = isTyped ? typed.text : JSON.stringify(document, null, 2)
  const read = (given: string) => {
    const draft = parse(given)
    if (draft) onChange(draft)
    setTyped({ text: given, document: draft ? JSON.stringify(documentOf(draft)) : current })
  }
  return (
    <Textarea
      label={t('protocols.json')}
      value={text}
      onChange={event => read(event.currentTarget.value)}
      error={isTyped && !parse(typed.text) ? t('protocols.jsonInvalid') : undefined}
      autosize
      minRows={10}
      maxRows={28}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8125rem' } }}
    />
  )
}

const parse = (text: string): ProtocolDraft | undefined => {
  try {
    return draftOf(JSON.parse(text))
  } catch {
    return undefined
  }
}

const SaveFailure = ({ failure }: { readonly failure: unknown }) => (
  <Stack gap="xs">
    <ErrorState error={failure} />
    {failure instanceof Problem && failure.issues.length > 0 && (
      <Stack component="ul" gap={2} m={0} ps="md">
        {failure.issues.map(({ path, message }) => (
          <Text key={`${path} ${message}`} component="li" size="sm">
            <b>{path}</b> {message}
          </Text>
        ))}
      </Stack>
    )}
  </Stack>
)
