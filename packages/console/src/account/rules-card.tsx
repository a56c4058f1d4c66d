import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { MediaRule, MediaRules } from '@tocsin/contract';
import { useEffect, useState } from 'react';
import { Button } from '../frame/button.tsx';
import { Card } from '../frame/card.tsx';
import { useServices } from '../services/services.ts';
import { useWords } from '../words/use-words.ts';
import { type DraftRule, draftOf, newRule, quietRule, ruleOf } from './draft-rule.ts';
import { RuleForm } from './rule-form.tsx';
import { Told } from './told.tsx';
import { useChange } from './use-change.ts';

/** When the user is called, on what, and when not. The first rule that matches decides. */
export function RulesCard({ userId }: { readonly userId: number }) {
  const words = useWords().account;
  const path = `/users/${userId}/media-rules`;
  const { api } = useServices();
  const { data } = useQuery({
    queryKey: ['media-rules', userId],
    queryFn: async () => (await api.get<MediaRules>(path)).data,
  });
  return (
    <Card title={words.rules} note={data && words.zone(data.usedTimeZone)} call={{ method: 'GET', path }}>
      <div className="in">
        <p className="muted">{words.rulesLead}</p>
        {data && <Editor path={path} userId={userId} stored={data} />}
      </div>
    </Card>
  );
}

type EditorProps = { readonly path: string; readonly userId: number; readonly stored: MediaRules };

function Editor({ path, userId, stored }: EditorProps) {
  const words = useWords().account;
  const { api } = useServices();
  const queries = useQueryClient();
  const { change, told, isBusy } = useChange();
  const [drafts, setDrafts] = useState<readonly DraftRule[]>([]);
  useEffect(() => setDrafts(stored.rules.map(draftOf)), [stored]);
  const replace = (key: string, rule: DraftRule | undefined) =>
    setDrafts((before) =>
      before.flatMap((one) => (one.key === key ? (rule === undefined ? [] : [rule]) : [one])),
    );
  const raise = (index: number) => setDrafts((before) => swapped(before, index));
  const save = async () => {
    const rules: MediaRule[] = drafts.map(ruleOf);
    await change(words.rulesSaved, async () => {
      await api.put(path, { timeZone: stored.timeZone, rules });
      await queries.invalidateQueries({ queryKey: ['media-rules', userId] });
    });
  };
  return (
    <>
      {drafts.length === 0 && <p className="norules">{words.noRules}</p>}
      <ol className="mediarules">
        {drafts.map((draft, index) => (
          <RuleForm
            key={draft.key}
            draft={draft}
            number={index + 1}
            onChange={(rule) => replace(draft.key, rule)}
            onRaise={index === 0 ? undefined : () => raise(index)}
          />
        ))}
      </ol>
      <span className="buttons">
        <Button
          label={words.addRule}
          icon="plus"
          kind="sm"
          onClick={() => setDrafts([...drafts, newRule()])}
        />
        <Button
          label={words.addQuiet}
          icon="moon"
          kind="sm"
          onClick={() => setDrafts([...drafts, quietRule(words.quietName)])}
        />
        <span className="fill" />
        <Button label={words.saveRules} kind="primary" disabled={isBusy} onClick={() => void save()} />
      </span>
      <Told told={told} />
    </>
  );
}

/** With the rule at the index one place further up. */
function swapped(rules: readonly DraftRule[], index: number): readonly DraftRule[] {
  const [above, moved] = [rules[index - 1], rules[index]];
  if (!above || !moved) return rules;
  return rules.with(index - 1, moved).with(index, above);
}
