import type { Finding } from './finding.ts'

const folder = 'packages/roadmap/document'
const tests = 'packages/roadmap/test/document'

/** What people write in a roadmap, and what was lost, misread or run of it. */
export const wildRoadmaps: readonly Finding[] = (
  [
    [
      'a box in a quote, a fence or with a mistake is lost without a word',
      `${folder}/read-roadmap.ts`,
      '    ...findNearBoxes(source, read, criteria),\n',
      '',
      `${tests}/unread-notes.test.ts`,
    ],
    [
      'boxes among success criteria are lost without a word',
      `${folder}/unread-notes.ts`,
      "return proper.test(text) ? 'details' : kind",
      'return proper.test(text) ? null : kind',
      `${tests}/unread-notes.test.ts`,
    ],
    [
      'two quotes that are alike count as one',
      `${folder}/unread-notes.ts`,
      'above.by === by &&',
      '',
      `${tests}/unread-notes.test.ts`,
    ],
    [
      'struck-out work is done',
      `${folder}/section-units.ts`,
      "  if (isStruck(raw)) return 'cancelled'\n",
      '',
      `${tests}/left-out.test.ts`,
    ],
    [
      'work under "Out of scope" is done',
      `${folder}/section-units.ts`,
      'const status = readLeftOutTitle(words)',
      'const status = readLeftOutTitle(words) && null',
      `${tests}/left-out.test.ts`,
    ],
    [
      'work that is left out is left out in silence',
      `${folder}/read-roadmap.ts`,
      '    ...leftOutTasks(identified.tasks),\n',
      '',
      `${tests}/left-out.test.ts`,
    ],
    [
      'a range means its ends alone',
      `${folder}/read-references.ts`,
      'writeOutRanges(plainWords(line))',
      'plainWords(line)',
      `${tests}/references.test.ts`,
    ],
    [
      'a range that does not fit means its ends',
      `${folder}/read-references.ts`,
      ' || holdsRange(part)',
      '',
      `${tests}/references.test.ts`,
    ],
    [
      '"all of the above" is no name',
      `${folder}/read-references.ts`,
      'const place = readPlace(part)',
      'const place = readPlace("")',
      `${tests}/references.test.ts`,
    ],
    [
      'any code in Accept is run',
      `${folder}/build-task.ts`,
      'programs.test(code) || (isList && looksLikeCommand(code))',
      "code !== ''",
      `${tests}/values.test.ts`,
    ],
    [
      'the words of a link are the path',
      `${folder}/build-task.ts`,
      'fileOf(target, label)',
      'label',
      `${tests}/values.test.ts`,
    ],
    [
      'a path from the root with two slashes is outside',
      `${folder}/build-task.ts`,
      'fromRoot(withoutPlace(path))',
      'withoutPlace(path)',
      `${tests}/values.test.ts`,
    ],
    [
      'a run with nothing to do hides what lint names',
      'src/tasks/lint-report.ts',
      '    ...(likeTasks > 0 && { likeTasks }),\n',
      '',
      'test/tasks/preview-run.test.ts',
    ],
    [
      'a roadmap of another name is not suggested',
      'src/tasks/missing-roadmap.ts',
      '.filter((path) => alike.test(path))',
      '.filter(() => false)',
      'test/tasks/missing-roadmap.test.ts',
    ],
  ] as const
).map(([name, file, find, replace, test]) => ({ of: '37', name, file, find, replace, test }))
