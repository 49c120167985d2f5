export namespace app {
	
	export class AgentView {
	    id: string;
	    name: string;
	    icon: string;
	    model: string;
	    codeInterpreter: string;
	
	    static createFrom(source: any = {}) {
	        return new AgentView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.name = source["name"];
	        this.icon = source["icon"];
	        this.model = source["model"];
	        this.codeInterpreter = source["codeInterpreter"];
	    }
	}
	export class ChatPage {
	    chats: chat.Chat[];
	    next: string;
	
	    static createFrom(source: any = {}) {
	        return new ChatPage(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.chats = this.convertValues(source["chats"], chat.Chat);
	        this.next = source["next"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ChatView {
	    chat: chat.Chat;
	    messages: chat.Message[];
	    runs: execution.Run[];
	    drafts: store.Draft[];
	    seqs: Record<string, number>;
	
	    static createFrom(source: any = {}) {
	        return new ChatView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.chat = this.convertValues(source["chat"], chat.Chat);
	        this.messages = this.convertValues(source["messages"], chat.Message);
	        this.runs = this.convertValues(source["runs"], execution.Run);
	        this.drafts = this.convertValues(source["drafts"], store.Draft);
	        this.seqs = source["seqs"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class CodeExecutionChange {
	    enabled: boolean;
	    timeoutSeconds: number;
	
	    static createFrom(source: any = {}) {
	        return new CodeExecutionChange(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.enabled = source["enabled"];
	        this.timeoutSeconds = source["timeoutSeconds"];
	    }
	}
	export class CodeExecutionView {
	    enabled: boolean;
	    engine: string;
	    timeoutSeconds: number;
	
	    static createFrom(source: any = {}) {
	        return new CodeExecutionView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.enabled = source["enabled"];
	        this.engine = source["engine"];
	        this.timeoutSeconds = source["timeoutSeconds"];
	    }
	}
	export class DraftRequest {
	    chatId: string;
	    partId: string;
	    ordinal: number;
	    code: string;
	
	    static createFrom(source: any = {}) {
	        return new DraftRequest(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.chatId = source["chatId"];
	        this.partId = source["partId"];
	        this.ordinal = source["ordinal"];
	        this.code = source["code"];
	    }
	}
	export class ModelInfo {
	    ref: string;
	    name: string;
	    title: string;
	    size: number;
	    contextLength: number;
	    capabilities: string[];
	    included: boolean;
	
	    static createFrom(source: any = {}) {
	        return new ModelInfo(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.ref = source["ref"];
	        this.name = source["name"];
	        this.title = source["title"];
	        this.size = source["size"];
	        this.contextLength = source["contextLength"];
	        this.capabilities = source["capabilities"];
	        this.included = source["included"];
	    }
	}
	export class ModelServer {
	    id: string;
	    name: string;
	    kind: string;
	    url: string;
	    origin: string;
	    state: string;
	    version: string;
	    error?: apperr.Error;
	    models: ModelInfo[];
	    locked: boolean;
	
	    static createFrom(source: any = {}) {
	        return new ModelServer(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.name = source["name"];
	        this.kind = source["kind"];
	        this.url = source["url"];
	        this.origin = source["origin"];
	        this.state = source["state"];
	        this.version = source["version"];
	        this.error = this.convertValues(source["error"], apperr.Error);
	        this.models = this.convertValues(source["models"], ModelInfo);
	        this.locked = source["locked"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ModelsView {
	    servers: ModelServer[];
	    default: string;
	    effective: string;
	    locked: boolean;
	
	    static createFrom(source: any = {}) {
	        return new ModelsView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.servers = this.convertValues(source["servers"], ModelServer);
	        this.default = source["default"];
	        this.effective = source["effective"];
	        this.locked = source["locked"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class SendRequest {
	    chatId: string;
	    agentId: string;
	    text: string;
	
	    static createFrom(source: any = {}) {
	        return new SendRequest(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.chatId = source["chatId"];
	        this.agentId = source["agentId"];
	        this.text = source["text"];
	    }
	}
	export class SettingsView {
	    general: settings.General;
	    codeExecution: CodeExecutionView;
	    agents: AgentView[];
	    defaultAgent: string;
	    locked: string[];
	    managedError?: apperr.Error;
	    dataFolder: string;
	    version: string;
	
	    static createFrom(source: any = {}) {
	        return new SettingsView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.general = this.convertValues(source["general"], settings.General);
	        this.codeExecution = this.convertValues(source["codeExecution"], CodeExecutionView);
	        this.agents = this.convertValues(source["agents"], AgentView);
	        this.defaultAgent = source["defaultAgent"];
	        this.locked = source["locked"];
	        this.managedError = this.convertValues(source["managedError"], apperr.Error);
	        this.dataFolder = source["dataFolder"];
	        this.version = source["version"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}

}

export namespace apperr {
	
	export class Error {
	    code: string;
	    params: Record<string, string>;
	
	    static createFrom(source: any = {}) {
	        return new Error(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.code = source["code"];
	        this.params = source["params"];
	    }
	}

}

export namespace chat {
	
	export class Chat {
	    id: string;
	    title: string;
	    agentId: string;
	    leafId: string;
	    createdAt: number;
	    updatedAt: number;
	
	    static createFrom(source: any = {}) {
	        return new Chat(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.title = source["title"];
	        this.agentId = source["agentId"];
	        this.leafId = source["leafId"];
	        this.createdAt = source["createdAt"];
	        this.updatedAt = source["updatedAt"];
	    }
	}
	export class Part {
	    id: string;
	    kind: string;
	    text?: string;
	    durationMs?: number;
	    error?: apperr.Error;
	    done: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Part(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.kind = source["kind"];
	        this.text = source["text"];
	        this.durationMs = source["durationMs"];
	        this.error = this.convertValues(source["error"], apperr.Error);
	        this.done = source["done"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Message {
	    id: string;
	    chatId: string;
	    parentId: string;
	    role: string;
	    state: string;
	    model?: string;
	    createdAt: number;
	    parts: Part[];
	
	    static createFrom(source: any = {}) {
	        return new Message(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.chatId = source["chatId"];
	        this.parentId = source["parentId"];
	        this.role = source["role"];
	        this.state = source["state"];
	        this.model = source["model"];
	        this.createdAt = source["createdAt"];
	        this.parts = this.convertValues(source["parts"], Part);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class Started {
	    chatId: string;
	    turnId: string;
	
	    static createFrom(source: any = {}) {
	        return new Started(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.chatId = source["chatId"];
	        this.turnId = source["turnId"];
	    }
	}

}

export namespace execution {
	
	export class Blob {
	    hash: string;
	    size: number;
	    width?: number;
	    height?: number;
	
	    static createFrom(source: any = {}) {
	        return new Blob(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.hash = source["hash"];
	        this.size = source["size"];
	        this.width = source["width"];
	        this.height = source["height"];
	    }
	}
	export class Input {
	    id: string;
	    text: string;
	    password: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Input(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.text = source["text"];
	        this.password = source["password"];
	    }
	}
	export class Output {
	    type: string;
	    name?: string;
	    text?: string;
	    tail?: string;
	    droppedBytes?: number;
	    droppedLines?: number;
	    data?: Record<string, Array<number>>;
	    blobs?: Record<string, Blob>;
	    metadata?: number[];
	    displayId?: string;
	    ename?: string;
	    evalue?: string;
	    traceback?: string[];
	    code?: string;
	    params?: Record<string, string>;
	
	    static createFrom(source: any = {}) {
	        return new Output(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.type = source["type"];
	        this.name = source["name"];
	        this.text = source["text"];
	        this.tail = source["tail"];
	        this.droppedBytes = source["droppedBytes"];
	        this.droppedLines = source["droppedLines"];
	        this.data = source["data"];
	        this.blobs = this.convertValues(source["blobs"], Blob, true);
	        this.metadata = source["metadata"];
	        this.displayId = source["displayId"];
	        this.ename = source["ename"];
	        this.evalue = source["evalue"];
	        this.traceback = source["traceback"];
	        this.code = source["code"];
	        this.params = source["params"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Request {
	    chatId: string;
	    partId: string;
	    ordinal: number;
	    language: string;
	    code: string;
	
	    static createFrom(source: any = {}) {
	        return new Request(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.chatId = source["chatId"];
	        this.partId = source["partId"];
	        this.ordinal = source["ordinal"];
	        this.language = source["language"];
	        this.code = source["code"];
	    }
	}
	export class Run {
	    id: string;
	    chatId: string;
	    partId: string;
	    ordinal: number;
	    engine: string;
	    language: string;
	    code: string;
	    state: string;
	    stateLost: boolean;
	    startedAt: number;
	    durationMs: number;
	    error?: apperr.Error;
	    outputs: Output[];
	    input?: Input;
	
	    static createFrom(source: any = {}) {
	        return new Run(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.chatId = source["chatId"];
	        this.partId = source["partId"];
	        this.ordinal = source["ordinal"];
	        this.engine = source["engine"];
	        this.language = source["language"];
	        this.code = source["code"];
	        this.state = source["state"];
	        this.stateLost = source["stateLost"];
	        this.startedAt = source["startedAt"];
	        this.durationMs = source["durationMs"];
	        this.error = this.convertValues(source["error"], apperr.Error);
	        this.outputs = this.convertValues(source["outputs"], Output);
	        this.input = this.convertValues(source["input"], Input);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class SessionState {
	    chatId: string;
	    engine: string;
	    phase: string;
	    variables: number;
	
	    static createFrom(source: any = {}) {
	        return new SessionState(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.chatId = source["chatId"];
	        this.engine = source["engine"];
	        this.phase = source["phase"];
	        this.variables = source["variables"];
	    }
	}

}

export namespace kernel {
	
	export class Completion {
	    matches: string[];
	    start: number;
	    end: number;
	
	    static createFrom(source: any = {}) {
	        return new Completion(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.matches = source["matches"];
	        this.start = source["start"];
	        this.end = source["end"];
	    }
	}
	export class Event {
	    type: string;
	    name?: string;
	    text?: string;
	    data?: Record<string, Array<number>>;
	    metadata?: number[];
	    displayId?: string;
	    ename?: string;
	    evalue?: string;
	    traceback?: string[];
	    wait?: boolean;
	    code?: string;
	    params?: Record<string, string>;
	
	    static createFrom(source: any = {}) {
	        return new Event(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.type = source["type"];
	        this.name = source["name"];
	        this.text = source["text"];
	        this.data = source["data"];
	        this.metadata = source["metadata"];
	        this.displayId = source["displayId"];
	        this.ename = source["ename"];
	        this.evalue = source["evalue"];
	        this.traceback = source["traceback"];
	        this.wait = source["wait"];
	        this.code = source["code"];
	        this.params = source["params"];
	    }
	}

}

export namespace settings {
	
	export class General {
	    theme: string;
	    language: string;
	    textSize: number;
	    onClose: string;
	
	    static createFrom(source: any = {}) {
	        return new General(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.theme = source["theme"];
	        this.language = source["language"];
	        this.textSize = source["textSize"];
	        this.onClose = source["onClose"];
	    }
	}

}

export namespace store {
	
	export class Draft {
	    partId: string;
	    ordinal: number;
	    code: string;
	
	    static createFrom(source: any = {}) {
	        return new Draft(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.partId = source["partId"];
	        this.ordinal = source["ordinal"];
	        this.code = source["code"];
	    }
	}

}

export namespace webview {
	
	export class File {
	    name: string;
	    size: number;
	    modified: number;
	
	    static createFrom(source: any = {}) {
	        return new File(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.size = source["size"];
	        this.modified = source["modified"];
	    }
	}
	export class Message {
	    type: string;
	    kernelId: string;
	    runId?: string;
	    phase?: string;
	    variables: number;
	    reason?: string;
	    detail?: string;
	    event?: kernel.Event;
	    status?: string;
	    stateLost?: boolean;
	    durationMs?: number;
	    inputId?: string;
	    prompt?: string;
	    password?: boolean;
	    requestId?: string;
	    error?: string;
	    files?: File[];
	    completion?: kernel.Completion;
	
	    static createFrom(source: any = {}) {
	        return new Message(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.type = source["type"];
	        this.kernelId = source["kernelId"];
	        this.runId = source["runId"];
	        this.phase = source["phase"];
	        this.variables = source["variables"];
	        this.reason = source["reason"];
	        this.detail = source["detail"];
	        this.event = this.convertValues(source["event"], kernel.Event);
	        this.status = source["status"];
	        this.stateLost = source["stateLost"];
	        this.durationMs = source["durationMs"];
	        this.inputId = source["inputId"];
	        this.prompt = source["prompt"];
	        this.password = source["password"];
	        this.requestId = source["requestId"];
	        this.error = source["error"];
	        this.files = this.convertValues(source["files"], File);
	        this.completion = this.convertValues(source["completion"], kernel.Completion);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}

}

