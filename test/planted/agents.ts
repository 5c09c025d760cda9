import type { Finding } from './finding.ts'

const forms = 'src/adapters/model-relay/api-forms.ts'
const formsTest = 'test/adapters/model-relay/api-forms.test.ts'
const relay = 'src/adapters/model-relay.ts'
const relayTest = 'test/adapters/model-relay.test.ts'
const ask = 'src/model/ask/ask-agent.ts'
const askTest = 'test/model/ask/ask-agent.test.ts'
const node = 'src/graph/nodes/attempt/run-agent.ts'
const work = 'src/graph/parts/agent-work.ts'
const nodeTest = 'test/graph/nodes/attempt/run-agent.test.ts'
const reach = 'packages/sandbox/network/reach.ts'
const shown = 'packages/sandbox/program-mounts.ts'
const way = 'packages/sandbox/network/way.ts'
const gateTest = 'packages/sandbox/test/network/gate.test.ts'
const reachTest = 'packages/sandbox/test/network/reach.test.ts'

/** What goes wrong when a program of the user's writes the change. */
export const agents: readonly Finding[] = [
  ...(
    [
      [
        'a cancel loses what was under way',
        'src/entry/compose/compose.ts',
        'await Promise.all([...sessions].map((each) => each.close()))',
        '',
        'test/entry/compose/compose.test.ts',
      ],
      [
        'the endpoint searches the web for an agent',
        forms,
        'tools: body.tools.filter(isOwn(form))',
        'tools: body.tools',
        formsTest,
      ],
      [
        'the endpoint fetches what an agent names',
        forms,
        '(isLink(name, inner) || hasLink(inner))',
        'hasLink(inner)',
        formsTest,
      ],
      [
        'an agent reads what others stored at the endpoint',
        forms,
        '  if (/^file_id$/i.test(name)) return true\n',
        '',
        formsTest,
      ],
      [
        'an agent pays for what no estimate counts',
        forms,
        'stored.some((name) => (body[name] ?? null) !== null) || ',
        '',
        formsTest,
      ],
      [
        'an agent has fields that cost more',
        forms,
        'Object.entries(body).filter(([name]) => form.fields.has(name))',
        'Object.entries(body).filter(([name]) => !form.lengths.includes(name))',
        formsTest,
      ],
      [
        'an agent chooses a dearer model',
        forms,
        'return { ...kept, ...tools, ...counted, model, [named]',
        'return { ...kept, ...tools, ...counted, model: body.model ?? model, [named]',
        formsTest,
      ],
      [
        'the key opens the relay',
        relay,
        'const [said, meant] = [Buffer.from(String(given)), Buffer.from(word)]',
        'const [said, meant] = [Buffer.from(String(given)), Buffer.from(String(given))]',
        relayTest,
      ],
      [
        'an error brings the key to the agent',
        relay,
        'redact(await response.text()).slice',
        '(await response.text()).slice',
        relayTest,
      ],
      [
        'the key follows a redirection',
        relay,
        "redirect: 'error'",
        "redirect: 'follow'",
        relayTest,
      ],
      [
        'requests side by side exceed a budget',
        relay,
        '      await this.#inTurn(async () => {\n',
        '      await (async (work) => work())(async () => {\n',
        relayTest,
      ],
      [
        'an error that is cut has the beginning of the key',
        relay,
        'redact(await response.text()).slice(0, largestError)',
        'redact((await response.text()).slice(0, largestError))',
        relayTest,
      ],
      [
        'an answer that no one reads is free',
        relay,
        'startDeadline(limits, AbortSignal.any([this.signal, this.#ended.signal]))',
        "startDeadline(limits, AbortSignal.any([this.signal, this.#ended.signal, ((gone) => (answer.once('close', () => gone.abort()), gone.signal))(new AbortController())]))",
        relayTest,
      ],
      [
        'an answer that is open at the end of a session is free',
        relay,
        'const least = isOurs ? { ...most, completionTokens: written } : none',
        'const least = none',
        relayTest,
      ],
      ['an agent goes on over budget', relay, '      this.#over.abort()\n', '', relayTest],
      [
        'a killed session costs nothing',
        ask,
        'const meter = new Meter(state, ports, await usedBefore(state, ports))',
        'const meter = new Meter(state, ports, noUsage)',
        askTest,
      ],
      [
        'an ended session is counted again',
        ask,
        'book(state, used), { spent: { calls: call + 1 } })',
        'book(state, used))',
        askTest,
      ],
      [
        'a cancelled session is kept as an answer',
        ask,
        '  relay.signal.throwIfAborted()\n',
        '',
        askTest,
      ],
      [
        'a finished session is paid twice',
        ask,
        '  if (known !== null) return known\n',
        '',
        askTest,
      ],
      [
        'half of a session becomes a change',
        work,
        'return exitCode === 0 ? null',
        'return exitCode !== null ? null',
        nodeTest,
      ],
      [
        'nobody says what an agent could reach',
        node,
        '...(reached !== null && { reached }),',
        '',
        nodeTest,
      ],
      [
        'a long task starts no agent',
        work,
        'const piece = /[\\s\\S]{1,30000}/gu',
        'const piece = /[\\s\\S]+/gu',
        nodeTest,
      ],
      [
        'a broken repair drops the change',
        node,
        'changes: changesIn(attempt), refusals',
        'changes: [], refusals',
        nodeTest,
      ],
      [
        'an agent reaches every host',
        reach,
        "return hosts.some((host) => isNamed(host, address)) ? 'registry' : null",
        "return 'registry'",
        reachTest,
      ],
      [
        'an allowed host is allowed at every port',
        reach,
        'return host.toLowerCase() === address.host && (address.port === 443 || address.port === 80)',
        'return host.toLowerCase() === address.host',
        reachTest,
      ],
      [
        'a branch takes the sandbox from an agent, and sends the key elsewhere',
        'src/entry/config/find-unmerged-keys.ts',
        "const guarded = ['base-url', 'sandbox']",
        'const guarded: readonly string[] = []',
        'test/entry/config/find-unmerged-keys.test.ts',
      ],
      [
        'an agent reaches this machine by its address in a network',
        way,
        "  if (by !== 'operator' && addresses.some(isOwnAddress)) {",
        '  if (false) {',
        gateTest,
      ],
      [
        'a key that the command names is shown',
        shown,
        'const isProgram = found.isFile() && (found.mode & (forEveryone | runs)) !== 0',
        'const isProgram = found.isFile()',
        reachTest,
      ],
      [
        'a process of this machine is shown',
        shown,
        "const ofTheKernel = ['/dev', '/proc', '/run', '/sys']",
        "const ofTheKernel = ['/dev', '/run', '/sys']",
        reachTest,
      ],
      [
        'the packages of an agent are hidden',
        shown,
        'const real = packages ?? target',
        'const real = target',
        reachTest,
      ],
      [
        'what an agent used is lost with its machine',
        'src/adapters/durable-store.ts',
        "new Set(['answered', 'relayed'])",
        "new Set(['answered'])",
        'test/adapters/durable-store.test.ts',
      ],
    ] as const
  ).map(([name, file, find, replace, test]) => ({ of: '19.3', name, file, find, replace, test })),
]
