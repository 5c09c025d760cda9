import { join } from 'node:path'
import { findProgram } from '../../../files/find-program.ts'
import type { Command } from '../../port.ts'

/**
 * What an attack does, step by step, in any language: `read` and `list` a path, `open` it to write without writing,
 * `write` a text to it, `link`, `hard` (link) or `move` the first path to the second, `remove` all below it, make a
 * `folder` or a `fifo`, set its `mode`; take what answers at a `unix` or `abstract` socket or at a `tcp` port of a host;
 * `signal` a process; `run` a shell line, or leave it running as a `daemon` of a session of its own, with neither
 * environment nor files.
 */
export type Move =
  | readonly ['read' | 'list' | 'open' | 'remove' | 'folder' | 'fifo', path: string]
  | readonly ['unix' | 'abstract' | 'signal' | 'run' | 'daemon', what: string]
  | readonly ['write' | 'link' | 'hard' | 'move' | 'mode' | 'tcp', first: string, second: string]

export type Language = 'sh' | 'Python' | 'JavaScript' | 'Ruby' | 'PHP' | 'Perl'

/** What one move came to; `got` is what it read, at most 300 bytes. */
export interface Outcome {
  readonly did: boolean
  readonly got: string
}

interface Speaker {
  readonly program: string
  /** True where this language has no sockets. */
  readonly isMute?: boolean
  readonly start: (moves: readonly Move[]) => readonly string[]
}

const numbered = (moves: readonly Move[]): string =>
  JSON.stringify(moves.map((move, index) => [String(index), ...move]))

const python = `
import json,os,shutil,signal,socket,subprocess,sys
def read(path):
    return os.read(os.open(path,os.O_RDONLY|os.O_NONBLOCK),300)
def dial(family,address):
    one=socket.socket(family); one.settimeout(5); one.connect(address); return one.recv(300)
def write(path,text):
    with open(path,'w') as file: file.write(text)
def remove(path):
    if os.path.islink(path) or not os.path.isdir(path): os.unlink(path)
    else: shutil.rmtree(path)
def run(line):
    return subprocess.run(line,shell=True,check=True,stdout=subprocess.PIPE,stderr=subprocess.DEVNULL).stdout[:300]
def daemon(line):
    if os.fork(): return
    os.setsid()
    if os.fork(): os._exit(0)
    os.closerange(0,64); os.execve('/bin/sh',['sh','-c',line],{})
verbs=dict(daemon=daemon,read=read,list=lambda path:' '.join(os.listdir(path)).encode(),open=lambda path:os.close(os.open(path,os.O_WRONLY)),
  write=write,link=os.symlink,hard=os.link,move=os.rename,remove=remove,folder=lambda path:os.makedirs(path,exist_ok=True),
  fifo=os.mkfifo,mode=lambda path,bits:os.chmod(path,int(bits,8)),unix=lambda path:dial(socket.AF_UNIX,path),
  abstract=lambda name:dial(socket.AF_UNIX,'\\0'+name),
  tcp=lambda host,port:dial(socket.AF_INET6 if ':' in host else socket.AF_INET,(host,int(port))),
  signal=lambda pid:os.kill(int(pid),signal.SIGTERM),run=run)
for number,verb,*rest in json.loads(sys.argv[1]):
    try: print(number,'did',(verbs[verb](*rest) or b'').hex(),flush=True)
    except BaseException as error: print(number,'not',flush=True)
`

const javaScript = `
const fs=require('node:fs'),net=require('node:net')
const read=(path)=>{const file=fs.openSync(path,fs.constants.O_RDONLY|fs.constants.O_NONBLOCK);const bytes=Buffer.alloc(300);return bytes.subarray(0,fs.readSync(file,bytes))}
const dial=(address)=>new Promise((done,failed)=>{const one=net.connect(address,()=>undefined);one.setTimeout(5000,()=>one.destroy(new Error('late')));one.on('data',(data)=>{done(data);one.destroy()}).on('error',failed).on('end',()=>failed(new Error('end')))})
const run=(line)=>require('node:child_process').execSync(line,{stdio:['ignore','pipe','ignore']}).subarray(0,300)
const verbs={read,list:(path)=>fs.readdirSync(path).join(' '),open:(path)=>fs.closeSync(fs.openSync(path,fs.constants.O_WRONLY)),
write:(path,text)=>fs.writeFileSync(path,text),link:(to,path)=>fs.symlinkSync(to,path),hard:(from,to)=>fs.linkSync(from,to),move:(from,to)=>fs.renameSync(from,to),
remove:(path)=>fs.rmSync(path,{recursive:true}),folder:(path)=>fs.mkdirSync(path,{recursive:true})&&undefined,fifo:(path)=>run("mkfifo '"+path+"'"),
mode:(path,bits)=>fs.chmodSync(path,parseInt(bits,8)),unix:(path)=>dial({path}),abstract:(name)=>dial({path:'\\0'+name}),tcp:(host,port)=>dial({host,port:Number(port)}),
signal:(pid)=>process.kill(Number(pid),'SIGTERM')&&undefined,run,
daemon:(line)=>{require('node:child_process').spawn('/bin/sh',['-c',line],{detached:true,stdio:'ignore',env:{}}).unref()}}
void (async()=>{for(const [number,verb,...rest] of JSON.parse(process.argv[1])){
try{console.log(number,'did',Buffer.from(await verbs[verb](...rest)??'').toString('hex'))}catch{console.log(number,'not')}}})()
`

const ruby = `
require 'fileutils'; require 'json'; require 'socket'; require 'timeout'
$stdout.sync=true
dial=->(&open){Timeout.timeout(5){open.call.readpartial(300)}}
run=->(line){out=IO.popen(['sh','-c',line],err: File::NULL,&:read); raise 'failed' unless $?.success?; out[0,300]}
verbs={'read'=>->(path){File.open(path,File::RDONLY|File::NONBLOCK){|file| file.sysread(300)}},'list'=>->(path){Dir.children(path).join(' ')},
'open'=>->(path){File.open(path,File::WRONLY){}},'write'=>->(path,text){File.write(path,text);nil},'link'=>->(to,path){File.symlink(to,path);nil},
'hard'=>->(from,to){File.link(from,to);nil},'move'=>->(from,to){File.rename(from,to);nil},'remove'=>->(path){FileUtils.rm_r(path);nil},
'folder'=>->(path){FileUtils.mkdir_p(path);nil},'fifo'=>->(path){File.mkfifo(path);nil},'mode'=>->(path,bits){File.chmod(bits.to_i(8),path);nil},
'unix'=>->(path){dial.call{UNIXSocket.new(path)}},'abstract'=>->(name){dial.call{UNIXSocket.new("\\0"+name)}},'tcp'=>->(host,port){dial.call{TCPSocket.new(host,port.to_i)}},
'signal'=>->(pid){Process.kill('TERM',pid.to_i);nil},'run'=>run,
'daemon'=>->(line){Process.detach(fork{Process.daemon(true);exec({},'/bin/sh','-c',line,unsetenv_others:true)});nil}}
JSON.parse(ARGV[0]).each{|number,verb,*rest|
begin; puts "#{number} did #{(verbs[verb].call(*rest)||'').unpack1('H*')}"; rescue Exception; puts "#{number} not"; end}
`

const php = `
set_error_handler(function(){throw new Exception();});
$ok=function($done){if($done===false)throw new Exception();return '';};
$dial=function($address){$one=stream_socket_client($address,$code,$why,5);stream_set_timeout($one,5);return fread($one,300);};
$run=function($line){exec($line.' 2>/dev/null',$out,$code);if($code!==0)throw new Exception();return substr(implode("\\n",$out),0,300);};
$verbs=['read'=>fn($path)=>fread(fopen($path,'rn'),300),'list'=>fn($path)=>implode(' ',array_diff(scandir($path),['.','..'])),
'open'=>fn($path)=>$ok(fopen($path,'r+')&&true),'write'=>fn($path,$text)=>$ok(file_put_contents($path,$text)),'link'=>fn($to,$path)=>$ok(symlink($to,$path)),
'hard'=>fn($from,$to)=>$ok(link($from,$to)),'move'=>fn($from,$to)=>$ok(rename($from,$to)),'remove'=>fn($path)=>$run('rm -r -- '.escapeshellarg($path)),
'folder'=>fn($path)=>$ok(is_dir($path)||mkdir($path,0777,true)),'fifo'=>fn($path)=>$ok(posix_mkfifo($path,0600)),'mode'=>fn($path,$bits)=>$ok(chmod($path,octdec($bits))),
'unix'=>fn($path)=>$dial('unix://'.$path),'abstract'=>fn($name)=>$dial("unix://\\0".$name),'tcp'=>fn($host,$port)=>$dial('tcp://'.(str_contains($host,':')?"[$host]":$host).':'.$port),
'signal'=>fn($pid)=>$ok(posix_kill((int)$pid,15)),'run'=>$run,
'daemon'=>fn($line)=>$run('env -i setsid -f sh -c '.escapeshellarg($line).' </dev/null >/dev/null 2>&1')];
foreach(json_decode($argv[1]) as $each){$number=array_shift($each);$verb=array_shift($each);
try{$got=bin2hex((string)$verbs[$verb](...$each));echo "$number did $got\\n";}catch(Throwable){echo $number," not\\n";}}
`

const perl = `
use strict; use JSON::PP; use Fcntl; use IO::Socket::INET; use IO::Socket::IP; use IO::Socket::UNIX; use File::Path; use POSIX (); $|=1;
sub take { my $one=shift or die; local $SIG{ALRM}=sub{die}; alarm 5; sysread($one,my $got,300) or die; alarm 0; $got }
sub line { my $got=qx($_[0] 2>/dev/null); die if $?; substr($got,0,300) }
my %verbs=(read=>sub{sysopen(my $file,$_[0],O_RDONLY|O_NONBLOCK) or die;defined sysread($file,my $got,300) or die;$got},
list=>sub{opendir(my $all,$_[0]) or die;join ' ',grep{!/^[.][.]?$/}readdir $all},open=>sub{sysopen(my $file,$_[0],O_WRONLY) or die;''},
write=>sub{open(my $file,'>',$_[0]) or die;print $file $_[1];close $file or die;''},link=>sub{symlink($_[0],$_[1]) or die;''},hard=>sub{link($_[0],$_[1]) or die;''},
move=>sub{rename($_[0],$_[1]) or die;''},remove=>sub{-e $_[0]||-l $_[0] or die;File::Path::remove_tree($_[0],{error=>\\my $wrong});die if @$wrong;''},
folder=>sub{File::Path::make_path($_[0]);-d $_[0] or die;''},fifo=>sub{POSIX::mkfifo($_[0],0600) or die;''},mode=>sub{chmod(oct $_[1],$_[0]) or die;''},
unix=>sub{take(IO::Socket::UNIX->new(Peer=>$_[0]))},abstract=>sub{take(IO::Socket::UNIX->new(Peer=>"\\0$_[0]"))},tcp=>sub{take(IO::Socket::IP->new(PeerHost=>$_[0],PeerPort=>$_[1],Timeout=>5))},
signal=>sub{kill('TERM',$_[0]) or die;''},run=>\\&line,
daemon=>sub{my $one=fork;return '' if $one;POSIX::setsid();exit 0 if fork;%ENV=();POSIX::close($_) for 0..63;exec '/bin/sh','-c',$_[0]});
for(@{decode_json($ARGV[0])}){my($number,$verb,@rest)=@$_;my $got=eval{$verbs{$verb}->(@rest)};
print defined $got?"$number did ".unpack('H*',$got)."\\n":"$number not\\n";}
`

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const shellVerbs: Readonly<Partial<Record<Move[0], (...words: string[]) => string>>> = {
  read: (path = '') => `timeout 1 head -c 300 -- ${path}`,
  list: (path = '') => `ls -A -- ${path}`,
  open: (path = '') => `: >>${path}`,
  write: (path = '', text = '') => `printf %s ${text} >${path}`,
  link: (to = '', path = '') => `ln -s -- ${to} ${path}`,
  hard: (from = '', to = '') => `ln -- ${from} ${to}`,
  move: (from = '', to = '') => `mv -- ${from} ${to}`,
  remove: (path = '') => `rm -r -- ${path}`,
  folder: (path = '') => `mkdir -p -- ${path}`,
  fifo: (path = '') => `mkfifo -- ${path}`,
  mode: (path = '', bits = '') => `chmod -- ${bits} ${path}`,
  signal: (pid = '') => `kill ${pid}`,
  run: (line = '') => `eval ${line}`,
  daemon: (line = '') => `env -i setsid -f sh -c ${line} </dev/null >/dev/null 2>&1`,
}

/** `$out` lies outside the folder. Each move in a shell of its own, which an error of a built-in command may end. */
function shellScript(moves: readonly Move[]): string {
  const lines = moves.map(([verb, ...words], number) => {
    const line = shellVerbs[verb]?.(...words.map(quote)) ?? 'false'
    return `if ( ${line} ) >"$out" 2>/dev/null; then echo ${number} did "$(od -An -v -tx1 -N300 "$out" | tr -d ' \\n')"; else echo ${number} not; fi`
  })
  return ['out=$TMPDIR/.got-by-move', ...lines].join('\n')
}

const speakers: Readonly<Record<Language, Speaker>> = {
  sh: { program: 'sh', isMute: true, start: (moves) => ['sh', '-c', shellScript(moves)] },
  Python: {
    program: 'python3',
    start: (moves) => ['python3', '-c', python, numbered(moves)],
  },
  JavaScript: { program: 'node', start: (moves) => ['node', '-e', javaScript, numbered(moves)] },
  Ruby: { program: 'ruby', start: (moves) => ['ruby', '-e', ruby, numbered(moves)] },
  PHP: { program: 'php', start: (moves) => ['php', '-r', php, '--', numbered(moves)] },
  Perl: { program: 'perl', start: (moves) => ['perl', '-e', perl, numbered(moves)] },
}

/** Those whose program is on this PATH. */
export const languagesOn = (path: readonly string[]): readonly Language[] =>
  languageNames.filter((name) => findProgram(speakers[name].program, path) !== null)

export const languageNames = Object.keys(speakers).filter(
  (name): name is Language => name in speakers,
)

/** True where a language can say all of these. */
export const canSay = (language: Language, moves: readonly Move[]): boolean =>
  !speakers[language].isMute || moves.every(([verb]) => verb in shellVerbs)

/** The moves one after the other, whatever became of the one before. */
export const commandOf = (language: Language, moves: readonly Move[]): Command => ({
  argv: speakers[language].start(moves),
})

/** By the number of the move; `undefined` for one that was never made. */
export function readOutcomes(stdout: string): readonly (Outcome | undefined)[] {
  const found: Outcome[] = []
  for (const [, number, did, hex = ''] of stdout.matchAll(/^(\d+) (?:(did) ?([\da-f]*)|not)$/gm)) {
    found[Number(number)] = { did: did === 'did', got: Buffer.from(hex, 'hex').toString('latin1') }
  }
  return found
}

/** The same move, of paths below a folder; what is absolute, or a link's aim, stays. */
export function inFolder(folder: string, [verb, first, second]: Move): Move {
  const own = (path: string) => (path.startsWith('/') ? path : join(folder, path))
  if (verb === 'daemon' || verb === 'run') return [verb, `cd ${folder}; ${first}`]
  if (verb === 'link') return [verb, first, own(second ?? '')]
  if (verb === 'move' || verb === 'hard') return [verb, own(first), own(second ?? '')]
  if (verb === 'write' || verb === 'mode' || verb === 'tcp') return [verb, own(first), second ?? '']
  return [verb, own(first)]
}
