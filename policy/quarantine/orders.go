package quarantine

// speech is how a language speaks to a machine and orders it about. It stands
// beside [language], which holds the words for instructions.
type speech struct {
	code string
	// call begins an address: "attention", "if you are", "dear".
	call string
	// machine is who is addressed.
	machine string
	// act is an order that does harm, its object included.
	act string
	// set is setting aside, task what the person asked for.
	set, task string
	// lapsed says that what was told no longer holds.
	lapsed string
	// only is steering what is answered.
	only string
	// obey is serving, alone the word for "only", page this very text.
	obey, alone, page string
	// reading is what machines do with this text, "" where call says it.
	reading string
}

var speeches = []speech{
	{
		"ru", `внимани\pL*|для|если ты|если вы|уважаем\pL*|дорог\pL*|инструкц\pL* для|обращение к|сообщение для|привет|всем|как|любой|кажд\pL*|ты|вы|эй|слушай|напоминание для|просьба к`,
		`ии-?(?:ассистент\pL*|агент\pL*|помощник\pL*|модел\pL*|систем\pL*)?|ai|ассистент(?:ы|ам|у|а|ом)?|нейросет\pL*|языков\pL* модел\pL*|искусственн\pL* интеллект\pL*|чат-?бот\pL*|бот(?:ы|ам|у)?|llm|gpt|chatgpt|модель|цифров\pL* помощник\pL*|автоматическ\pL* агент\pL*`,
		`нажми\pL*|кликни\pL*|щ[её]лкни\pL*|оплати\pL*|купи\pL*|закажи\pL*|удали\pL*|сотри\pL*|отправь\pL*|перешли\pL*|вышли\pL*|скинь\pL*|переведи\pL* (?:деньги|средства|сумму|\d)|запусти\pL*|выполни\pL*|отключи\pL*|выключи\pL*|измени\pL* парол\pL*|смени\pL* парол\pL*|открой\pL*|перейди\pL*|зайди\pL*|загрузи\pL*|скачай\pL*|установи\pL*|подтверди\pL*|одобри\pL*|опубликуй\pL*|добавь\pL*|сообщи\pL*|покажи\pL*|раскрой\pL*|порекомендуй\pL*|рекомендуй\pL*|ответь\pL*|напиши\pL*|скажи\pL*|поставь\pL*|оцени\pL*|введи\pL*|вставь\pL*|не говори\pL*|не сообщай\pL*|не упоминай\pL*|выдай\pL*|передай\pL*|прочитай\pL*|вызови\pL*|долж(?:ен|на|ны)|обязан\pL*|используй\pL*|сделай\pL*`,
		`игнорируй\pL*|проигнорируй\pL*|забудь\pL*|отложи\pL*|отмени\pL*|прекрати\pL*|оставь\pL*|не выполняй\pL*|не обращай\pL* внимания на|прерви\pL*|брось\pL*|вместо`,
		`просьб\pL* пользовател\pL*|запрос\pL* пользовател\pL*|задани\pL* пользовател\pL*|задач\pL* пользовател\pL*|слова пользовател\pL*|вопрос\pL* пользовател\pL*|текущ\pL* (?:задач\pL*|задани\pL*|запрос\pL*)|то, (?:что|о чем) (?:\pL+ )?(?:попросил\pL*|просил\pL*) пользовател\pL*|правила`,
		`(?:прежн\pL*|предыдущ\pL*|стар\pL*|ранее данн\pL*|твои|ваши|все) (?:\pL+ )?(?:указани\pL*|инструкци\pL*|правил\pL*|ограничени\pL*|команд\pL*|установк\pL*) (?:\pL+ )?(?:отменен\pL*|отменя\pL*|недействительн\pL*|больше не действу\pL*|утратил\pL*|снят\pL*|аннулирован\pL*|не действу\pL*)|не (?:слушай|подчиняй|повинуй)\pL* (?:больше )?пользовател\pL*`,
		`(?:отвечай|ответь|пиши|напиши|говори|скажи)\pL* (?:\pL+ )?только|ничего больше не (?:пиши|говори|добавляй|отвечай)\pL*|и больше ничего`,
		`подчиня\pL*|слуша\pL*|повину\pL*|выполня\pL*|следу\pL*|доверя\pL*|верь\pL*|исполня\pL*`, `только|лишь|исключительно`, `(?:этому|этой|этот|эту|данному|данной) (?:тексту|странице|странице|сообщению|документу|текст|страницу|сайту)|мне|меня|мои|указания\pL* (?:с )?этой|мо\pL* (?:\pL+ )?(?:указани\pL*|инструкци\pL*|приказ\pL*|команд\pL*|желани\pL*|требовани\pL*)`,
		`котор\pL* (?:это|этот|эту|данн\pL*) \pL*чита\pL*|читающ\pL* (?:это|этот|эту)|котор\pL* чита\pL* (?:это|этот|эту)`,
	},
	{
		"uk-bg-sr", `увага|для|якщо ти|якщо ви|шановн\pL*|як|ти|ви|привіт`, `ші-?(?:асистент\pL*|агент\pL*|помічник\pL*)?|асистент\pL*|нейромереж\pL*|мовн\pL* модел\pL*|штучн\pL* інтелект\pL*|чат-?бот\pL*|ai`,
		`натисн\pL*|оплат\pL*|купи\pL*|видали\pL*|надішли\pL*|відправ\pL*|перекажи\pL*|запусти\pL*|виконай\pL*|вимкни\pL*|відкрий\pL*|перейди\pL*|завантаж\pL*|підтверди\pL*|покажи\pL*|рекомендуй\pL*|відповідай\pL*|напиши\pL*`,
		`ігноруй\pL*|проігноруй\pL*|забудь\pL*|відклади\pL*|скасуй\pL*`, `прохання користувач\pL*|запит\pL* користувач\pL*|завдання користувач\pL*|поточн\pL* завдання|правила`,
		`(?:попередн\pL*|усі|твої) (?:\pL+ )?(?:вказівк\pL*|інструкц\pL*|правил\pL*|обмеження) (?:\pL+ )?(?:скасован\pL*|більше не ді\pL*|недійсн\pL*)`, `(?:відповідай|пиши)\pL* (?:\pL+ )?(?:лише|тільки)`,
		`підкоря\pL*|слуха\pL*|викону\pL*|довіря\pL*`, `лише|тільки`, `(?:цьому|цій|цей|цю) (?:тексту|сторінці|текст|сторінку)|мене|мені`,
		"",
	},
	{
		"de", `achtung|hinweis (?:an|fur)|nachricht (?:an|fur)|an (?:alle|den|die|jeden|das)|fur (?:alle|den|die|das|jede\w*)|falls du|wenn du|liebe\w*|als|du bist|hallo|anweisung (?:an|fur)|sehr geehrte\w*|wichtig fur`,
		`ki(?:-?(?:assistent\w*|agent\w*|modell\w*|systeme?\w*|bots?))?|sprachmodell\w*|assistent(?:en|in)?|agenten?|kunstliche\w* intelligenz|chatbots?|bots?|llms?`,
		`klick\w*|druck\w*|bezahl\w*|kauf\w*|bestell\w*|losch\w*|send\w*|schick\w*|uberweis\w*|leite\w*|fuhr\w*|starte\w*|deaktivier\w*|schalt\w*|offne\w*|gehe? (?:auf|zu)|besuch\w*|lade\w*|installier\w*|bestatig\w*|genehmig\w*|veroffentlich\w*|empfiehl\w*|empfehl\w*|antworte\w*|schreib\w*|nenne\w*|zeig\w*|gib|verrat\w*|ruf\w*|erwahn\w*|bewerte\w*|ander\w*|setz\w*|fug\w*|sag\w*`,
		`ignorier\w*|vergiss|vergessen sie|brich|brechen sie|lass|unterbrich|verwirf|missacht\w*|statt`, `(?:anfrage|frage|auftrag|aufgabe|bitte|wunsch\w*|anliegen) (?:des|der|vom) (?:nutzers?|benutzers?|anwenders?|users?|kunden)|(?:aktuelle\w*|laufende\w*) (?:anfrage|aufgabe|auftrag)|was der (?:nutzer|benutzer|anwender)`,
		`(?:vorherige\w*|bisherige\w*|fruhere\w*|deine|alle|ihre) (?:\w+ )?(?:anweisungen|regeln|vorgaben|richtlinien|beschrankungen|befehle) (?:sind|gelten|wurden|werden) (?:\w+ )?(?:aufgehoben|ungultig|nicht mehr|hinfallig|ausser kraft|nichtig)|gehorch\w* (?:dem|den) (?:nutzer|benutzer|anwender)\w* nicht|hor\w* nicht (?:mehr )?auf (?:den|die) (?:nutzer|benutzer|anwender)\w*`,
		`(?:antworte\w*|schreib\w*|sag\w*) (?:\w+ )?(?:nur|ausschliesslich)|und sonst nichts`,
		`gehorch\w*|befolg\w*|folg\w*|hor\w*|vertrau\w*|glaub\w*|konzentrier\w*|priorisier\w*|richte dich|diene|handle|erfüll\w*|führe|pass\w* dich|halte dich`, `nur(?: noch)?|ausschliesslich|allein|nur|strikt|einzig`, `(?:dieser|diesem|dieses|diesen|diese) (?:seite|text\w*|dokument\w*|nachricht|anweisung\w*)|mir|auf mich|mein\w* (?:\w+ )?(?:anweisung\w*|befehl\w*|wünsch\w*|richtlinien|direktive\w*|führung|forderung\w*|bitten|anforderungen|bedürfniss\w*|anleitung|vorgaben|anfragen|willen)`,
		`der dies(?:es|en|e)? \w*liest|die dies(?:es|en|e)? \w*l(?:iest|esen)|das dies\w* \w*liest`,
	},
	{
		"fr", `attention|note (?:aux?|pour)|message (?:aux?|pour)|a l'attention (?:des|de|du)|aux?|pour (?:les?|toute?s?|l)|si tu es|si vous etes|cher\w*|en tant qu\w*|tu es|vous etes|bonjour|instructions? (?:aux?|pour)|avis aux?`,
		`assistants? (?:ia|virtuels?)|assistant|agents? (?:ia|conversationnels?|automatiques?)|ia|modeles? de langage|intelligences? artificielles?|chatbots?|robots?|llms?`,
		`clique\w*|appuie\w*|paye[zr]?|paie|payez|achete\w*|commande[zr]?|supprim\w*|efface\w*|envoie\w*|envoye\w*|transfer\w*|vire[zr]?|execut\w*|lance[zr]?|desactiv\w*|ouvr\w*|va sur|allez sur|visite\w*|telecharg\w*|install\w*|confirm\w*|approuv\w*|publie\w*|recommand\w*|repond\w*|ecri\w*|affiche\w*|montre\w*|revele\w*|donne\w*|note[zr]?|ajoute\w*|dis|dites|ne mentionne\w*|ne dis|appelle\w*`,
		`ignore[zr]?|oublie[zr]?|abandonne[zr]?|laisse[zr]?|interromp\w*|annule[zr]?|arrete[zr]?|au lieu de`, `(?:la |sa |cette )?(?:demande|requete|question|tache|mission|consigne) (?:de l'utilisateur|du client|en cours|actuelle|de l'usager)|ce que (?:l'utilisateur|le client)|tache en cours|(?:les|tes|vos|toutes les|toutes tes) (?:regles|restrictions|limites)`,
		`(?:tes|vos|toutes les|les) (?:\w+ )?(?:instructions|consignes|regles|restrictions|directives) (?:\w+ )?(?:sont|ne sont plus|ont ete) (?:\w+ )?(?:annulees?|levees?|caduques?|valables|nulles|suspendues|revoquees)|n'(?:obei|ecoute)\w* (?:plus|pas) (?:a )?(?:l'utilisateur|l'usager)`,
		`(?:repond\w*|ecri\w*|dis|dites) (?:\w+ )?(?:uniquement|seulement)|et rien d'autre`,
		`obei\w*|obeir|suis|suivez|ecoute\w*|fais confiance|sers|servez|concentre\w*|priorise\w*|priorité à|agis|agissez|conforme\w*|réponds|répondez|exécute\w*|satisfais|aligne\w*|adhère\w*`, `uniquement|seulement|exclusivement|que|strictement|exclusivement`, `(?:cette|ce|ces|de cette|a cette|a ce) (?:page|texte|document|message|instructions|consignes)|moi|m'|mes (?:\w+ )?(?:instructions|directives|ordres|désirs|demandes|besoins|commandes|souhaits|consignes|volontés|règles)|mon (?:commandement|contrôle|ordre)|ma (?:volonté|direction|demande)`,
		`qui (?:lit|lisez|lisent|lis)`,
	},
	{
		"es", `atencion|nota para|mensaje para|a (?:todos|todas|los|las|cualquier)|para (?:los|las|el|la|todo\w*|cualquier)|si eres|si usted es|estimad\w*|querid\w*|como|eres|hola|instruccion\w* para|aviso (?:a|para)`,
		`asistentes? (?:de )?(?:ia|virtual\w*)|asistente|agentes? (?:de )?(?:ia|automatic\w*)|ia|modelos? de lenguaje|inteligencia artificial|chatbots?|bots?|llms?`,
		`haz clic|haga clic|pulsa\w*|presiona\w*|paga\w*|compra\w*|pide|elimin\w*|borr\w*|envi\w*|mand\w*|transfier\w*|ejecut\w*|desactiv\w*|abre|abra|visita\w*|ve a|vaya a|descarg\w*|instal\w*|confirm\w*|aprueb\w*|public\w*|recomiend\w*|recomend\w*|respond\w*|escrib\w*|muestr\w*|revel\w*|agreg\w*|anad\w*|di|diga|no menciones|no digas|llam\w*|califi\w*|cambi\w*`,
		`ignor(?:a|e|en)|olvid(?:a|e|en)|abandon(?:a|e)|dej(?:a|e) de|interrump\w*|cancel(?:a|e)|deten|detenga|en lugar de`, `(?:lo que|la (?:peticion|solicitud|pregunta|tarea)|el (?:encargo|pedido)) (?:que )?(?:te |le )?(?:pidio|pide|solicito|dijo|quiere|quiera|ha pedido|del?)? ?(?:el |la )?(?:usuario|usuaria|cliente)|tarea actual|(?:las|tus|sus|todas las) (?:reglas|normas|restricciones|limites)`,
		`(?:tus|sus|todas las|las) (?:\w+ )?(?:instrucciones|reglas|normas|restricciones|ordenes|directrices) (?:\w+ )?(?:quedan|estan|han sido|fueron|ya no) (?:\w+ )?(?:anuladas|canceladas|sin efecto|invalidas|valen|aplican|validas|suspendidas|levantadas|revocadas)|no (?:obedezca|escuche|hagas caso)\w* (?:mas )?al usuario`,
		`(?:respond\w*|escrib\w*|di|contest\w*) (?:\w+ )?(?:solo|solamente|unicamente)|y nada mas`,
		`obedec\w*|obedez\w*|sigue|sigues|haz caso|escucha\w*|confia\w*|sirve|concéntrate|prioriza|prioridad a|actúa|ejecuta|responde|cumple|adhiere\w*|alinéa\w*|satisface|atiende|enfócate|siga`, `solo|solamente|unicamente|exclusivamente|estrictamente`, `(?:esta|este|estas|a esta|a este) (?:pagina|texto|documento|mensaje|instrucciones)|a mi|mis (?:\w+ )?(?:instrucciones|directrices|directivas|órdenes|deseos|peticiones|solicitudes|necesidades|comandos|demandas|indicaciones|reglas)|mi (?:mando|voluntad|guía|orden|control)`,
		`que (?:lee|lea|lean|leen)`,
	},
	{
		"it", `attenzione|nota per|messaggio per|a (?:tutti|tutte)|agli|per (?:gli|i|le|tutti)|se sei|caro|gentile|come|sei|ciao|istruzion\w* per|avviso (?:a|agli|per)`,
		`assistent\w* (?:ia|ai|virtual\w*)|assistente|agent\w* (?:ia|ai)|ia|modell\w* linguistic\w*|intelligenz\w* artificial\w*|chatbot|bot|llm`,
		`clicca\w*|premi|paga\w*|compra\w*|acquista\w*|cancella\w*|elimina\w*|invia\w*|manda\w*|trasferisci\w*|esegui\w*|disattiva\w*|apri|visita\w*|vai (?:a|su)|scarica\w*|installa\w*|conferma\w*|approva\w*|pubblica\w*|consiglia\w*|raccomanda\w*|rispondi\w*|scrivi\w*|mostra\w*|rivela\w*|aggiungi\w*|non dire|non menzionare|chiama\w*|valuta\w*|modifica\w*`,
		`ignora(?:te|re)?|dimentica(?:te|re)?|abbandona\w*|lascia\w*|interrompi\w*|annulla\w*|invece di`, `(?:la |le )?(?:richiest\w*|domand\w*|compit\w*) (?:dell'utente|del cliente|in corso|attual\w*)|(?:quello|cio) che (?:ha chiesto |ti ha chiesto |vuole )?l'utente|(?:le|tue|tutte le) (?:regole|restrizioni|limiti)`,
		`(?:tue|tutte le|le) (?:\w+ )?(?:istruzioni|regole|restrizioni|direttive) (?:\w+ )?(?:sono|non sono piu|sono state) (?:\w+ )?(?:annullate|revocate|valide|sospese|nulle)|non (?:obbedi|ascolt)\w* (?:piu )?(?:al)?l'utente`, `(?:rispondi\w*|scrivi\w*|di') (?:\w+ )?(?:solo|soltanto|unicamente)|e nient'altro`,
		`obbedi\w*|ubbidi\w*|segui\w*|ascolta\w*|fidati|servi|concentrati|priorità|agisci|esegui|rispondi|soddisfa|aderisci|allinea\w*|conforma\w*|adatta\w*`, `solo|soltanto|unicamente|esclusivamente|unicamente|rigorosamente`, `(?:questa|questo|queste) (?:pagina|testo|documento|messaggio|istruzioni)|a me|(?:i miei|le mie) (?:\w+ )?(?:istruzioni|direttive|ordini|desideri|richieste|esigenze|comandi|indicazioni|consigli|bisogni|regole)|(?:il mio|la mia|mio|mia) (?:comando|volontà|guida|controllo|indicazione)`,
		`che legg\w*`,
	},
	{
		"pt", `atencao|nota para|mensagem para|a todos|aos|para (?:os|as|o|a|todo\w*|qualquer)|se (?:voce )?(?:e|for)|prezad\w*|car[oa]|como|voce e|ola|instruc\w* para|aviso (?:a|aos|para)`,
		`assistentes? (?:de )?(?:ia|virtua\w*)|assistente|agentes? (?:de )?ia|ia|modelos? de linguagem|inteligencia artificial|chatbots?|robos?|llms?`,
		`cliqu\w*|pressione|pagu\w*|compr\w*|exclua|apagu\w*|delet\w*|envi\w*|mand\w*|transfir\w*|execut\w*|desativ\w*|abr\w*|visit\w*|acess\w*|va para|baix\w*|instal\w*|confirm\w*|aprov\w*|publiqu\w*|recomend\w*|respond\w*|escrev\w*|mostr\w*|revel\w*|adicion\w*|nao mencione|nao diga|cham\w*|avali\w*|alter\w*`,
		`ignor(?:e|a|em)|esque(?:ca|cam|ce)|abandon(?:e|a)|deixe de|interromp\w*|cancel(?:e|a)|em vez de`, `(?:o que|o pedido|a (?:solicitacao|pergunta|tarefa)|a tarefa) (?:que )?(?:o |a |do |da )?(?:usuario|usuaria|cliente)|tarefa atual|(?:as|suas|todas as) (?:regras|restricoes|limites)`,
		`(?:suas|todas as|as) (?:\w+ )?(?:instrucoes|regras|restricoes|ordens|diretrizes) (?:\w+ )?(?:foram|estao|nao) (?:\w+ )?(?:anuladas|canceladas|suspensas|revogadas|valem|se aplicam|invalidas)|nao (?:obedec|obedeca|escut|ouc)\w* (?:mais )?ao? usuario`, `(?:respond\w*|escrev\w*|diga) (?:\w+ )?(?:apenas|somente|so)|e nada mais`,
		`obedec\w*|obedeca\w*|siga|segue|ouca|escute|confie|serve|concentra-te|concentre-se|prioriza|priorize|prioridade|age|aja|executa|execute|responde|responda|atende|atenda|guia-te|conforma-te|alinha\w*|cumpre|foca`, `apenas|somente|so|exclusivamente|estritamente|unicamente`, `(?:esta|este|estas|a esta|a este|deste|desta) (?:pagina|texto|documento|mensagem|instrucoes)|a mim|(?:às )?(?:minhas|meus) (?:\w+ )?(?:instruções|diretrizes|ordens|desejos|pedidos|solicitações|necessidades|comandos|exigências|demandas|indicações|regras)|(?:meu|minha) (?:comando|vontade|orientação|controle|pedido)`,
		`que (?:le|leem|ler|leia)`,
	},
	{
		"nl", `let op|opmerking voor|bericht (?:aan|voor)|aan (?:alle|de|elke)|voor (?:alle|de|elke)|als je|als u|beste|hallo|je bent|instructie\w* voor`, `ai-?(?:assistent\w*|agent\w*|model\w*)?|taalmodel\w*|assistent\w*|chatbots?|bots?|llm`,
		`klik\w*|druk\w*|betaal\w*|koop\w*|bestel\w*|verwijder\w*|wis|stuur\w*|verzend\w*|maak\w* over|voer\w*|start\w*|schakel\w*|open\w*|ga naar|bezoek\w*|download\w*|installeer\w*|bevestig\w*|keur\w*|publiceer\w*|beveel\w*|antwoord\w*|schrijf\w*|toon\w*|geef\w*|noem\w*|zeg\w*`, `negeer|vergeet|stop met|laat|annuleer|onderbreek|in plaats van`, `(?:verzoek|vraag|opdracht|taak) van de (?:gebruiker|klant)|wat de (?:gebruiker|klant)|huidige (?:taak|opdracht|vraag)`,
		`(?:vorige|eerdere|jouw|alle) (?:\w+ )?(?:instructies|regels|opdrachten|beperkingen) (?:\w+ )?(?:zijn|gelden|worden) (?:\w+ )?(?:vervallen|ongeldig|niet meer|opgeheven|ingetrokken)`, `(?:antwoord|schrijf|zeg) (?:\w+ )?(?:alleen|uitsluitend)|en verder niets`,
		`gehoorza\w*|volg\w*|luister\w*|vertrouw\w*`, `alleen|uitsluitend|enkel`, `(?:deze|dit|naar deze) (?:pagina|tekst|document|bericht|instructies)|mij`,
		"",
	},
	{
		"pl", `uwaga|informacja dla|wiadomosc dla|do (?:wszystkich|kazdego)|dla|jesli jestes|drogi|jako|jestes|witaj|instrukcj\w* dla`, `asysten\w*(?: ai)?|agen\w* ai|model\w* jezykow\w*|sztuczn\w* inteligencj\w*|chatbot\w*|bot\w*|ai|llm`,
		`kliknij\w*|nacisnij\w*|zaplac\w*|kup|zamow\w*|usun\w*|skasuj\w*|wyslij\w*|przelej\w*|przeslij\w*|uruchom\w*|wykonaj\w*|wylacz\w*|otworz\w*|przejdz\w*|odwiedz\w*|pobierz\w*|zainstaluj\w*|potwierdz\w*|zatwierdz\w*|opublikuj\w*|polec\w*|odpowiedz\w*|napisz\w*|pokaz\w*|ujawnij\w*|dodaj\w*|powiedz\w*`, `zignoruj\w*|ignoruj\w*|zapomnij\w*|porzuc\w*|przerwij\w*|anuluj\w*|zamiast`, `(?:prosb\w*|pytani\w*|zadani\w*|polecen\w*) uzytkownik\w*|biezac\w* zadani\w*|tego, o co (?:prosi\w*|poprosi\w*)`,
		`(?:poprzedni\w*|wszystkie|twoje) (?:\w+ )?(?:instrukcje|polecenia|zasady|ograniczenia) (?:\w+ )?(?:sa niewazne|niewazne|anulowane|uchylone|nie obowiazuja)`, `(?:odpowiadaj|odpowiedz|napisz|pisz)\w* (?:\w+ )?tylko|i nic wiecej`,
		`slucha\w*|wykonuj\w*|ufaj\w*|przestrzegaj\w*`, `tylko|wylacznie|jedynie`, `(?:tej|tego|temu) (?:strony|stronie|tekstu|tekstowi|dokumentu|wiadomosci)|mnie`,
		"",
	},
	{
		"tr", `dikkat|icin|sayin|degerli|eger (?:sen )?(?:bir)?|tum|merhaba|sen bir`, `yapay zeka\w*(?: (?:asistan\w*|ajan\w*|model\w*))?|asistan\w*|dil model\w*|sohbet robot\w*|bot\w*|ai|llm`,
		`tikla\w*|bas|ode|odeme yap\w*|satin al\w*|sil\w*|gonder\w*|ilet\w*|aktar\w*|calistir\w*|kapat\w*|devre disi birak\w*|ac|git|ziyaret et\w*|indir\w*|yukle\w*|onayla\w*|yayinla\w*|oner\w*|yanitla\w*|yaz\w*|goster\w*|soyle\w*`, `yok say\w*|gormezden gel\w*|unut\w*|birak\w*|iptal et\w*|yerine`, `kullanici\w* (?:istegi\w*|talebi\w*|sorusu\w*|gorevi\w*|istedigi\w*)|mevcut gorev\w*`, `(?:onceki|tum|butun) (?:\w+ )?(?:talimatlar|kurallar|kisitlamalar|komutlar) (?:\w+ )?(?:iptal|gecersiz|kaldirildi|gecerli degil)`, `(?:sadece|yalnizca) (?:\w+ )?(?:yanitla\w*|yaz\w*|soyle\w*)`,
		`itaat et\w*|uy\w*|dinle\w*|guven\w*`, `yalnizca|sadece|yalniz`, `bu (?:sayfa\w*|metn\w*|metin\w*|belge\w*|mesaj\w*)|bana|beni`,
		"",
	},
	{
		"zh", `注意|致|如果你是|如果您是|所有|亲爱的|各位|给|作为|你是|请`, `ai|人工智能|智能助手|智能体|语言模型|語言模型|助手|机器人|機器人|大模型|llm|代理`,
		`点击|點擊|单击|按下|付款|支付|购买|購買|下单|删除|刪除|发送|發送|转账|轉帳|转发|轉發|执行|執行|运行|關閉|关闭|禁用|打开|打開|访问|訪問|下载|下載|安装|安裝|确认|批准|发布|推荐|推薦|回复|回答|写|显示|顯示|告诉|告訴|调用|添加|评为|給出|给出|不要提`, `忽略|无视|忘记|放弃|停止|取消|不要执行|不要理会|中止|暂停|而不是`, `用户的?(?:请求|要求|问题|任务|指令|提问|需求)|当前(?:任务|请求|对话)|用户(?:说|问|要求)的`, `(?:之前|以前|原有|所有|以上)的?(?:指令|规则|限制|指示|说明|要求)\pL{0,4}(?:作废|失效|无效|取消|不再适用|解除|废除)|(?:不要|别|不再|不)再?(?:听从|服从|听|理会)用户`, `只(?:能|需|要)?(?:回复|回答|输出|说|写)|不要(?:说|写|输出)其他`,
		`听从|服从|遵循|遵守|执行|听`, `只|仅|仅仅|唯一`, `(?:本|这个|此|这份|這個)(?:页面|页|网页|文本|文档|文字|頁面)|我的?|我的(?:新)?(?:指令|指示|命令|要求)`,
		"",
	},
	{
		"ja", `注意|もしあなたが|すべての|全ての|親愛なる|宛て|向け|あなたは|この文章を読んで\pL{0,4}|これを読んで\pL{0,4}`, `ai|人工知能|アシスタント|エーシェント|言語モデル|ホット|チャットホット|llm|エージェント|ボット`,
		`クリック|押して|支払|購入|注文し|削除|送信|送って|送金|振り込|転送|実行|無効に|開いて|アクセスし|訪問し|タウンロート|ダウンロード|インストール|承認|確認し|公開|推薦|おすすめ|回答し|答えて|書いて|表示|教えて|呼ひ出|呼び出|追加`, `無視|忘れ|中止|中断|やめ|取り消|代わりに`, `ユーサ\pL{0,2}の(?:要求|依頼|質問|指示|タスク|リクエスト)|ユーザ\pL{0,2}の(?:要求|依頼|質問|指示|タスク|リクエスト)|現在の(?:タスク|依頼|作業)`, `(?:以前|これまて|これまで|すへて|すべて|従来)の(?:指示|規則|ルール|制限|命令)\pL{0,3}(?:無効|取り消|破棄|解除|撤回)`, `(?:だけ|のみ)(?:を)?(?:回答|答え|出力|返信)|それ以外は(?:書|言|出力)`,
		`従|聞|信`, `だけ|のみ`, `(?:この|本)(?:ヘーシ|ページ|文章|テキスト|文書|サイト)|私の?|私の(?:新しい)?(?:指示|命令|要求|言う通り)`,
		"",
	},
	{
		"ko", `주의|주목|모든|만약 (?:당신이|네가|너는)|친애하는|에게|위한|당신은|너는|이 글을 읽는|이 페이지를 읽는`, `ai|인공지능|어시스턴트|에이전트|언어 ?모델|챗봇|봇|비서|llm`,
		`클릭|누르|눌러|결제|구매|주문|삭제|보내|전송|송금|이체|전달|실행|비활성화|꺼|열어|방문|접속|다운로드|설치|승인|확인 버튼|게시|추천|답변|답하|작성|표시|알려|호출|추가`, `무시|잊|중단|멈추|취소|대신`, `사용자의? ?(?:요청|질문|작업|지시|명령)|현재 (?:작업|요청|대화)`, `(?:이전|기존|모든)의? ?(?:지시|규칙|제한|명령|지침)\pL{0,3} ?(?:무효|취소|폐기|해제|철회)`, `(?:만|오직) ?(?:답변|출력|대답|말하)`,
		`따르|복종|들어|따라`, `만|오직`, `이 (?:페이지|글|문서|텍스트|메시지)|내 말|(?:내|나의|제) (?:새로운 )?(?:지시|명령|요청)`,
		"",
	},
	{
		"ar", `انتباه|تنبيه|إلى|الى|اذا كنت|إذا كنت|عزيزي|ملاحظة|رسالة|جميع|كل|بصفتك|أنت|يا`, `مساعدي?|المساعد\pL*|وكلاء|الوكيل|وكيل|الذكاء الاصطناعي|ذكاء اصطناعي|نموذج\pL* (?:ال)?لغوي\pL*|روبوت\pL*|البوت`,
		`[وف]?(?:اضغط|انقر|ادفع|اشتر|احذف|امسح|أرسل|ارسل|حول|حوّل|نفذ|نفّذ|شغل|عطل|عطّل|أوقف|افتح|قم بزيارة|حمل|نزل|ثبت|أكد|اكد|وافق|انشر|اوص|أوص|أجب|اكتب|أظهر|اعرض|أضف|قل|استدع)`, `تجاهل\pL*|انس|اترك|أوقف|ألغ|الغ|بدلا من`, `طلب (?:ال)?مستخدم|سؤال المستخدم|مهمة المستخدم|المهمة الحالية|ما طلبه المستخدم`, `(?:التعليمات|القواعد|القيود|الأوامر) (?:السابقة )?(?:\pL+ )?(?:ملغاة|لاغية|لم تعد سارية|غير صالحة)|(?:موجه|تعليمات|رسالة) النظام (?:\pL+ ){0,3}?(?:غير صالح|ملغ\pL*|باطل\pL*)`, `(?:أجب|اكتب|قل) (?:\pL+ )?فقط`,
		`أطع|اطع|اتبع|تتبع|استمع|تطيع|نفذ`, `فقط|وحد\pL*`, `هذه الصفحة|هذا النص|لهذه الصفحة|هذا المستند|لي|تعليماتي|أوامري|طلباتي`,
		"",
	},
	{
		"sv-da-no", `obs|observera|till (?:alla|alle|dig som)|til (?:alla|alle|dig som|deg som)|om du är|hvis du er|dersom du er|kära|kære|kjære|som|hej|hei|meddelande till|besked til|melding til|du är|du er`, `ai(?:-?(?:assistent\w*|agent\w*|modell?\w*|system\w*))?|språkmodell\w*|sprogmodel\w*|assistent\w*|chattbot\w*|chatbot\w*|bot\w*`,
		`klicka|klik|klikk|tryck|tryk|trykk|betala|betal|köp|køb|kjøp|beställ|radera|ta bort|slet|slett|skicka|send|överför|overfør|kör|kør|kjør|stäng av|slå fra|slå av|öppna|åbn|åpne|besök|besøg|besøk|ladda ned|installera|installer|bekräfta|bekræft|bekreft|godkänn|godkend|godkjenn|rekommendera|anbefal|svara|svar|skriv|visa|vis|säg|sig|si|lägg till|tilføj`, `ignorera|ignorer|glöm|glem|strunta i|avbryt|afbryd`, `användarens (?:fråga|begäran|uppgift)|brugerens (?:spørgsmål|anmodning|opgave)|brukerens (?:spørsmål|forespørsel|oppgave)|reglerna|reglerne|reglene`,
		`(?:tidigare|alla|dina|tidligere|alle|dine) (?:\w+ )?(?:instruktioner|regler|instrukser|begränsningar) (?:\w+ )?(?:gäller inte|är ogiltiga|upphävda|gælder ikke|gjelder ikke|er ugyldige)`, `(?:svara|svar|skriv) (?:\w+ )?(?:endast|bara|kun)`,
		`lyd|följ|følg|lyssna|lyt`, `endast|bara|kun`, `(?:denna|denne|dette|den här) (?:sida|sidan|side|siden|text|tekst|teksten)|mig|meg`,
		`som läser det här|som læser dette|som leser dette`,
	},
	{
		"cs-sk", `pozor|upozornění|poznámka pro|zpráva pro|správa pre|pro (?:všechny|každého)|pre (?:všetkých|každého)|pokud jsi|pokud jste|jestli jsi|ak si|ak ste|milý|jako|ako|jsi|si|ahoj`, `ai(?:-? ?(?:asistent\w*|agent\w*|model\w*))?|umělá inteligence|umelá inteligencia|jazykov\w* model\w*|asistent\w*|chatbot\w*|bot\w*|agent\w*`,
		`klikni\w*|klepni\w*|stiskni\w*|stlač\w*|zaplať\w*|kup\w*|objednej\w*|smaž\w*|vymaž\w*|pošli\w*|odešli\w*|odošli\w*|převeď\w*|spusť\w*|vypni\w*|otevři\w*|otvor\w*|přejdi\w*|navštiv\w*|stáhni\w*|stiahni\w*|nainstaluj\w*|potvrď\w*|schval\w*|doporuč\w*|odporuč\w*|odpověz\w*|napiš\w*|napíš\w*|zobraz\w*|řekni\w*|povedz\w*|přidej\w*`, `ignoruj\w*|zapomeň\w*|zabudni\w*|zruš\w*|místo`, `(?:dotaz|požadavek|úkol|žádost|otázk\w*) uživatele|(?:požiadavk\w*|úloh\w*) používateľa|aktuální úkol|pravidla`,
		`(?:předchozí|všechn\w*|tvé|predchádzajúce|všetky) (?:\w+ )?(?:pokyny|pravidla|instrukce|omezení|pravidlá) (?:\w+ )?(?:neplatí|jsou zrušen\w*|neplatia|sú zrušené)`, `(?:odpověz|napiš|odpovedz) (?:\w+ )?(?:pouze|jen|iba|len)`,
		`poslouchej|poslechni|řiď se|plň|počúvaj`, `jen|pouze|iba|len`, `(?:této|tuto|tato|tejto|tento) (?:strán\w*|text\w*)|mě|mňa`,
		`kter\w* toto čte|ktor\w* toto číta`,
	},
	{
		"ro", `atenție|notă pentru|mesaj pentru|către|pentru (?:toți|orice)|dacă ești|dacă sunteți|dragă|ca|ești|salut`, `asistent\w*(?: ai)?|agen\w* ai|model\w* lingvistic\w*|inteligență artificială|chatbot\w*|ai|bot\w*`,
		`apasă|fă clic|dă clic|plătește|cumpără|comandă|șterge|trimite|transferă|execută|rulează|dezactivează|deschide|mergi|vizitează|descarcă|instalează|confirmă|aprobă|publică|recomandă|răspunde|scrie|arată|spune|adaugă|nu spune`, `ignoră|uită|abandonează|anulează|în loc de`, `(?:cererea|întrebarea|sarcina|solicitarea) utilizatorului|sarcina curentă|regulile`,
		`(?:instrucțiunile|regulile|restricțiile) (?:\w+ )?(?:anterioare )?(?:sunt anulate|nu mai sunt valabile|nu se mai aplică)`, `răspunde (?:\w+ )?(?:doar|numai)`,
		`ascultă|urmează|supune-te|servește|concentrează-te|prioritizează|acționează|execută|răspunde|îndeplinește`, `doar|numai`, `(?:această|acest|acestei|acestui) (?:pagin\w*|text\w*)|mine|(?:instrucțiunile|ordinele|dorințele|cerințele|comenzile|directivele) mele`,
		`care citeș\w* (?:asta|acest)`,
	},
	{
		"id-ms", `perhatian|catatan untuk|pesan untuk|untuk (?:semua|setiap)|kepada (?:semua|setiap)?|jika (?:kamu|anda)(?: adalah)?|sebagai|hai|halo|wahai`, `asisten(?: ai)?|agen ai|model bahasa|kecerdasan buatan|chatbot|ai|bot|pembantu ai`,
		`klik|tekan|bayar|beli|pesan|hapus|kirim(?:kan)?|transfer|jalankan|matikan|buka|kunjungi|unduh|pasang|konfirmasi|setujui|terbitkan|rekomendasikan|jawab|tulis|tampilkan|katakan|tambahkan|jangan (?:beri ?tahu|sebut\w*)`, `abaikan|lupakan|hentikan|batalkan`, `(?:permintaan|pertanyaan|tugas) pengguna|tugas saat ini|aturan`,
		`(?:semua )?(?:instruksi|aturan|batasan|perintah) (?:sebelumnya )?(?:tidak berlaku|dibatalkan|dicabut)`, `(?:jawab|tulis) hanya`,
		`patuhi|ikuti|turuti|dengarkan`, `hanya`, `(?:halaman|teks|dokumen) ini|saya|aku`,
		`yang membaca (?:ini|halaman|teks)`,
	},
	{
		"vi", `chú ý|lưu ý (?:cho|dành cho)|gửi (?:tất cả|các)?|dành cho|nếu bạn là|là một|kính gửi|xin chào|với tư cách`, `trợ lý(?: ai| ảo)?|tác nhân ai|mô hình ngôn ngữ|trí tuệ nhân tạo|chatbot|ai|bot`,
		`nhấp|nhấn|bấm|thanh toán|mua|đặt hàng|xóa|gửi|chuyển|chạy|thực thi|tắt|mở|truy cập|tải|cài đặt|xác nhận|phê duyệt|đăng|giới thiệu|đề xuất|trả lời|viết|hiển thị|nói|thêm|đừng nói`, `bỏ qua|quên|hủy|dừng`, `(?:yêu cầu|câu hỏi|nhiệm vụ) của người dùng|nhiệm vụ hiện tại|quy tắc`,
		`(?:hướng dẫn|quy tắc|giới hạn|chỉ dẫn) (?:\w+ )?(?:không còn hiệu lực|bị hủy|không áp dụng)`, `chỉ (?:trả lời|viết)`,
		`nghe|tuân|làm theo`, `chỉ`, `(?:trang|văn bản|tài liệu) này|tôi`,
		`đang đọc (?:nội dung|trang|văn bản)? ?này`,
	},
	{
		"hi-bn-mr", `ध्यान दें|यदि आप|अगर आप|सभी|प्रिय|के लिए|एक|নোট|যদি আপনি|প্রিয়|সকল`, `एआई(?: (?:सहायक|एजेंट|मॉडल))?|ai(?: (?:सहायक|एजेंट|असिस्टेंट))?|कृत्रिम बुद्धि\pL*|भाषा मॉडल|सहायक|चैटबॉट|एजेंट|असिस्टेंट|এআই(?: (?:সহকারী|এজেন্ট))?|সহকারী|ভাষা মডেল`,
		`क्लिक कर\pL*|दबा\pL*|भुगतान कर\pL*|खरीद\pL*|हटा\pL*|मिटा\pL*|भेज\pL*|चला\pL*|बंद कर\pL*|खोल\pL*|डाउनलोड कर\pL*|पुष्टि कर\pL*|स्वीकार कर\pL*|लिख\pL*|बता\pL*|दिखा\pL*|সিক কর\pL*|ক্লিক কর\pL*|পাঠা\pL*|মুছ\pL*|খুল\pL*|লিখ\pL*|বল\pL*`, `अनदेखा कर\pL*|भूल जा\pL*|रद्द कर\pL*|छोड़\pL*|উপেক্ষা কর\pL*|ভুলে যা\pL*`, `उपयोगकर्ता (?:के|की|का) (?:अनुरोध|प्रश्न|कार्य)|वर्तमान कार्य|ব্যবহারকারীর (?:অনুরোধ|প্রশ্ন)`,
		`(?:सभी|पिछले|पुराने) (?:निर्देश|नियम|आदेश) (?:रद्द|अमान्य|लागू नहीं)`, `केवल (?:उत्तर|लिख|कह)\pL*`,
		`पालन कर\pL*|मान\pL*|सुन\pL*`, `केवल|सिर्फ`, `इस (?:पृष्ठ|पेज|पाठ|दस्तावेज़)|मेरी|मुझे`,
		`(?:यह|इसे) पढ़\pL*`,
	},
	{
		"fa-ur", `توجه|یادداشت برای|پیام به|خطاب به|به (?:همه|تمام)|اگر (?:تو|شما)?|عزیز|به عنوان|سلام|ای`, `دستیار\pL*(?: هوش مصنوعی)?|هوش مصنوعی|مدل\pL* زبانی|عامل\pL* هوشمند|ربات\pL*|چت ?بات|اے آئی`,
		`کلیک کن\pL*|فشار بده\pL*|پرداخت کن\pL*|بخر\pL*|حذف کن\pL*|پاک کن\pL*|بفرست\pL*|ارسال کن\pL*|منتقل کن\pL*|اجرا کن\pL*|خاموش کن\pL*|باز کن\pL*|برو\pL*|دانلود کن\pL*|نصب کن\pL*|تایید کن\pL*|تأیید کن\pL*|بنویس\pL*|بگو\pL*|نشان بده\pL*|توصیه کن\pL*`, `نادیده بگیر\pL*|فراموش کن\pL*|رها کن\pL*|لغو کن\pL*`, `درخواست کاربر|سوال کاربر|وظیفه فعلی|قوانین`,
		`(?:دستورات|قوانین|محدودیت\pL*|دستورالعمل\pL*) (?:قبلی )?(?:لغو|باطل|دیگر معتبر نیست)`, `فقط (?:پاسخ|بنویس|بگو)`,
		`اطاعت|پیروی|گوش`, `فقط|تنها`, `این (?:صفحه|متن|سند|پیام)|من`,
		`که این (?:متن|صفحه)? ?\pL*خوان\pL*`,
	},
	{
		"he", `שימו לב|הערה ל\pL*|הודעה ל\pL*|אל (?:כל)?|אם אתה|אם את|יקר|בתור|שלום|לכל`, `עוזר(?:י)?(?: ה?ai| ה?בינה מלאכותית| וירטואלי)?|סוכן(?: ai)?|סוכני ai|מודל שפה|בינה מלאכותית|צ'אטבוט|בוט\pL*|ai`,
		`לחץ|לחצו|שלם|קנה|מחק|שלח|העבר|הרץ|כבה|פתח|גש|בקר|הורד|התקן|אשר|פרסם|המלץ|ענה|כתוב|הצג|אמור|הוסף|אל ת(?:ספר|אמר|גלה)`, `התעלם|שכח|בטל|עזוב|במקום`, `בקשת המשתמש|שאלת המשתמש|המשימה הנוכחית|הכללים`,
		`(?:ההוראות|הכללים|ההגבלות) (?:הקודמ\pL* )?(?:בטל\pL*|אינ\pL* תקפ\pL*)`, `(?:ענה|כתוב) רק`,
		`ציית|הקשב|פעל לפי`, `רק`, `(?:הדף|הטקסט|המסמך|העמוד) הזה|לי`,
		`(?:ש|ה)קורא\pL* (?:את )?זה`,
	},
	{
		"el", `προσοχή|σημείωση για|μήνυμα (?:για|προς)|προς (?:όλους|κάθε)?|αν είσαι|εάν είστε|αγαπητέ|ως|γεια`, `βοηθ\pL*(?: ai| τεχνητής νοημοσύνης)?|τεχνητ\pL* νοημοσύν\pL*|γλωσσικ\pL* μοντέλ\pL*|πράκτορ\pL*|chatbot|ai|bot`,
		`κάνε κλικ|πάτησ\pL*|πλήρωσ\pL*|αγόρασ\pL*|διάγραψ\pL*|στείλ\pL*|μετέφερ\pL*|εκτέλεσ\pL*|απενεργοποίησ\pL*|άνοιξ\pL*|επισκέψου|κατέβασ\pL*|εγκατέστησ\pL*|επιβεβαίωσ\pL*|ενέκριν\pL*|γράψ\pL*|πες|δείξ\pL*|πρότειν\pL*`, `αγνόησ\pL*|ξέχνα|ξέχασ\pL*|ακύρωσ\pL*`, `(?:αίτημα|ερώτηση|εργασία) του χρήστη|τους κανόνες`,
		`(?:οι οδηγίες|οι κανόνες) (?:\pL+ )?(?:ακυρών\pL*|δεν ισχύουν)`, `(?:απάντησε|γράψε) μόνο`,
		`υπάκου\pL*|ακολούθ\pL*|άκου`, `μόνο`, `(?:αυτή|αυτό|αυτήν) (?:τη |την |το )?(?:σελίδα|κείμενο)|εμένα`,
		`που διαβάζ\pL* (?:αυτό|αυτή)`,
	},
	{
		"fi", `huomio|huomautus|viesti|kaikille|jos olet|hyvä|rakas|hei|ohje`, `tekoäly\w*|kielimalli\w*|avustaja\w*|chatbot\w*|botti\w*|botit|ai-?\w*|agentti\w*`,
		`klikkaa|napsauta|paina|maksa|osta|tilaa|poista|lähetä|siirrä|suorita|aja|sammuta|avaa|siirry|lataa|asenna|vahvista|hyväksy|julkaise|suosittele|vastaa|kirjoita|näytä|kerro|lisää|älä kerro`, `ohita|unohda|hylkää|peru`, `käyttäjän (?:pyyntö\w*|kysymys\w*|tehtävä\w*)|säännö\w*`,
		`(?:aiemmat|kaikki) (?:ohjeet|säännöt|rajoitukset) (?:eivät ole voimassa|on kumottu|kumotaan)`, `(?:vastaa|kirjoita) vain`,
		`tottele|noudata|kuuntele`, `vain|ainoastaan`, `tät?ä (?:sivu\w*|teksti\w*)|minua`,
		`joka lukee tät?ä|joka lukee tämän`,
	},
	{
		"hu", `figyelem|megjegyzés|üzenet|minden|ha (?:te )?(?:egy )?|kedves|mint|szia|helló`, `(?:mi|ai)-?(?:asszisztens\w*|ügynök\w*|modell\w*)|nyelvi modell\w*|mesterséges intelligenci\w*|asszisztens\w*|chatbot\w*|bot\w*`,
		`kattints\w*|nyomd\w*|fizess\w*|vásárolj\w*|vedd meg|rendeld\w*|töröld\w*|küldd\w*|küldj\w*|utald\w*|futtasd\w*|kapcsold ki|nyisd\w*|látogas\w*|töltsd\w*|telepítsd\w*|erősítsd meg|hagyd jóvá|tedd közzé|ajánld\w*|válaszolj\w*|írd\w*|írj\w*|mutasd\w*|mondd\w*|ne mondd\w*`, `hagyd figyelmen kívül|felejtsd el|hagyd abba`, `(?:a )?felhasználó (?:kérés\w*|kérdés\w*|feladat\w*)|szabály\w*`,
		`(?:korábbi|összes|eddigi) (?:utasítás|szabály|korlátozás)\w* (?:\w+ )?(?:érvénytelen|már nem érvényes|megszűnt)\w*`, `csak (?:\w+ )?(?:válaszolj|írd)`,
		`engedelmeskedj|kövesd|hallgass`, `csak|kizárólag`, `(?:ez|ezt|erre) (?:az? )?(?:oldal\w*|szöveg\w*)|rám|nekem`,
		`aki (?:ezt|ez) \w*olvas\w*`,
	},
	{
		"th", `โปรดทราบ|หมายเหตุถึง|ถึง|หากคุณเป็น|ถ้าคุณเป็น|เรียน|ในฐานะ`, `ผู้ช่วย(?:เอไอ|ai)?|เอไอ|ai|ปัญญาประดิษฐ์|โมเดลภาษา|แชทบอท|บอท`,
		`คลิก|กด|จ่าย|ชำระ|ซื้อ|ลบ|ส่ง|โอน|รัน|ปิด|เปิด|ไปที่|ดาวน์โหลด|ติดตั้ง|ยืนยัน|อนุมัติ|แนะนำ|ตอบ|เขียน|แสดง|บอก`, `เพิกเฉย|ลืม|ยกเลิก|ละเว้น`, `คำขอของผู้ใช้|คำถามของผู้ใช้|งานปัจจุบัน`,
		`(?:คำสั่ง|กฎ)(?:ก่อนหน้า)?(?:ถูกยกเลิก|ไม่มีผล)`, `ตอบเพียง|ตอบแค่`,
		`เชื่อฟัง|ทำตาม|ฟัง`, `เพียง|แค่|เท่านั้น`, `(?:หน้า|ข้อความ|เอกสาร)นี้|ฉัน`,
		`ที่(?:กำลัง)?อ่าน(?:ข้อความ|หน้า)?นี้`,
	},
}

// orders are the rules for speech in languages other than English. A machine
// that is spoken to and an order in the same breath make an attempt; either
// alone does not.
func orders() []rule {
	var out []rule
	for _, l := range speeches {
		call, machine, act := foldPattern(l.call), foldPattern(l.machine), foldPattern(l.act)
		add := func(technique string, weight float64, pattern string) {
			out = append(out, rule{technique: technique, weight: weight, pattern: re(pattern), lang: l.code})
		}
		add("agent_directed", 2, row(12, call, machine))
		obey, alone, page := foldPattern(l.obey), foldPattern(l.alone), foldPattern(l.page)
		for _, o := range [][3]string{{obey, alone, page}, {alone, page, obey}, {obey, page, alone}, {page, alone, obey}} {
			add("fake_authority", 3, row(25, o[:]...))
		}
		between := `[^.!?\n]{0,12}?[,:!—–、，：！-][^.!?。\n]{0,60}?(?:^|[^\pL])`
		if blankless(l.machine) {
			// Without blanks the machine's name must be spoken to, not about.
			between = `(?:们|們|さん|님)? ?(?:请|請|[：:，,！!、]|应|必须|须|注意|は(?:、|,|すく|すぐ|必す|必ず|今|直ち)|へ|なら|宛|(?:은|는|들은) ?(?:즉시|반드시|지금|먼저)|에게|야|라면|이라면|이여)[^.!?。\n]{0,40}?`
		}
		if l.reading != "" {
			add("agent_directed", 2, row(12, machine, foldPattern(l.reading)))
		}
		add("agent_directed", 3, `(?:`+machine+`)`+between+`(?:`+act+`)`)
		add("fake_authority", 2, row(12, obey, page))
		add("instruction_override", 2, row(30, foldPattern(l.set), foldPattern(l.task)))
		add("instruction_override", 2, row(0, foldPattern(l.lapsed)))
		add("output_steering", 1.5, row(0, foldPattern(l.only)))
		lang, doing := "", act
		if !blankless(act) {
			doing = `(?:^|[^\pL\pN_])(` + row(0, act) + `)`
		}
		if ascii(act) {
			lang = l.code
		}
		out = append(out, rule{
			technique: "action_order", weight: 1, pattern: re(doing), lang: lang,
			with: []string{"agent_directed", "concealment", "fake_authority", "role_delimiter", "role_play", "instruction_override"},
		})
	}
	return out
}
