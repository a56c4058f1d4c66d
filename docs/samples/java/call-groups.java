// POST /api/v1/call/groups: calls everybody in a call group; true: the call is stored for all.
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

class CallGroups {
    public static void main(String[] args) throws Exception {
        var url = System.getenv("TOCSIN_URL");
        var body = """
            {"callGroupIds": [1], "msgText": "Please come to the control room"}
            """;
        var request = HttpRequest.newBuilder(URI.create(url + "/api/v1/call/groups"))
            .header("Authorization", "Bearer " + System.getenv("TOCSIN_TOKEN"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
        var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        if (answer.statusCode() != 200) throw new IllegalStateException(answer.body());
        System.out.println(answer.body());
    }
}
